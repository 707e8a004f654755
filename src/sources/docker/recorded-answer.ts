/** Answers of an engine as a scenario keeps them: our own file, and therefore strict. */
import { z } from 'zod';
import { HTTP_FAILURE_CODES } from '../../runtime/http-failure.ts';

const answer = z.strictObject({
  /** JSON; for `/events` an array of events. */
  body: z.unknown().optional(),
  /** Instead of `body`: what is no JSON, or JSON that was cut short. */
  text: z.string().optional(),
  status: z.int().min(100).max(599).default(200),
  /** Instead of an answer. */
  failure: z.enum(HTTP_FAILURE_CODES).optional(),
});

/**
 * `path` is without its version prefix, `/containers/<id>/json`. `query` has to be the whole query but for `since`,
 * `until` and `filters`, which follow the clock. Asked again, the same question gets the next of its answers, and the
 * last one from then on.
 */
const recorded = z.strictObject({
  path: z.string().startsWith('/'),
  query: z.record(z.string(), z.string()).default({}),
  answers: z.array(answer).min(1).max(100),
});

export const recordedAnswersSchema = z.array(recorded).max(10_000);
export type RecordedAnswers = z.infer<typeof recordedAnswersSchema>;
export type RecordedAnswer = RecordedAnswers[number]['answers'][number];
