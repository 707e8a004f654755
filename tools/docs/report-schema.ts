/** docs/run-report.schema.json: what `patrold run --json` prints. */
import { z } from 'zod';
import { runReportSchema } from '../../src/patrol/report.ts';

export const reportSchema = (): string => {
  const { $schema, ...schema } = z.toJSONSchema(runReportSchema);
  const title = 'What patrold run --json prints';
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
};
