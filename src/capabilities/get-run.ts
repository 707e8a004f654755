/** `GET /api/runs/:id`: one run, with what it raised and could not see. */
import { z } from 'zod';
import { signalSchema, unobservedSchema } from '../patrol/report.ts';
import { fail, succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { idInput } from './fields.ts';
import { readReport } from './kept-report.ts';
import { LARGEST_PAGE } from './paging.ts';
import { runView, viewRun } from './run-view.ts';

export const getRun = defineCapability({
  name: 'get_run',
  title: 'One run',
  description:
    'A run with its stages and coverage, the signals that it raised and the checks that it could not observe.',
  category: 'runs',
  method: 'GET',
  path: '/api/runs/:id',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({ id: idInput }),
  output: z.strictObject({
    run: runView,
    signals: z.array(signalSchema).readonly().describe(`the first ${LARGEST_PAGE}; run.coverage.raised counts all`),
    unobserved: z
      .array(unobservedSchema)
      .readonly()
      .describe(`the first ${LARGEST_PAGE}; /api/coverage?run=<id> lists them by page`),
  }),
  invalidInput: 'invalid_request',
  errors: ['invalid_request', 'missing_id', 'run_not_found'],
  handle: ({ id }, { ports: { runs } }) => {
    const run = runs.get(id);
    if (run === null) return fail('run_not_found', 'there is no run with that id');
    const { signals, unobserved } = readReport(runs, id);
    return succeed({
      run: viewRun(run),
      signals: signals.slice(0, LARGEST_PAGE),
      unobserved: unobserved.slice(0, LARGEST_PAGE),
    });
  },
});
