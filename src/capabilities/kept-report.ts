/** The report that a run left, read again: what was raised and what could not be seen. */
import { z } from 'zod';
import { signalSchema, unobservedSchema } from '../patrol/report.ts';
import type { CapabilityPorts } from './ports.ts';

/** Another version may have written it: what does not fit is left out, the rest still counts. */
const lenient = <S extends z.ZodType>(item: S) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((each) => {
        const parsed = item.safeParse(each);
        return parsed.success ? [parsed.data] : [];
      }),
    );

const reportSchema = z.object({
  signals: lenient(signalSchema),
  verdicts: z.object({ unobserved: lenient(unobservedSchema) }).catch({ unobserved: [] }),
});

export interface KeptReport {
  readonly signals: readonly z.output<typeof signalSchema>[];
  readonly unobserved: readonly z.output<typeof unobservedSchema>[];
}

const NOTHING: KeptReport = { signals: [], unobserved: [] };

export const readReport = (runs: CapabilityPorts['runs'], runId: string): KeptReport => {
  const text = runs.report(runId);
  if (text === null) return NOTHING;
  const { signals, verdicts } = reportSchema.parse(JSON.parse(text));
  return { signals, unobserved: verdicts.unobserved };
};
