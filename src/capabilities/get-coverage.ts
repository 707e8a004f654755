/** `GET /api/coverage`: what the last run saw, and what it could not see and why. */
import { z } from 'zod';
import { unobservedSchema } from '../patrol/report.ts';
import { fail, succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { idInput, nameInput } from './fields.ts';
import { readReport } from './kept-report.ts';
import { lastWholeRun } from './last-whole-run.ts';
import { badCursor, nextCursor, pageInput, readCursor, writeCursor } from './paging.ts';
import { quietWatchesView, runView, viewRun } from './run-view.ts';

const LIST = 'coverage';
const runHead = runView.omit({ stages: true });

interface Position {
  readonly runId: string;
  readonly index: number;
}

const positionOf = (cursor: string): Position | null => {
  const [runId, index] = readCursor(LIST, cursor) ?? [];
  return typeof runId === 'string' && typeof index === 'number' && index >= 0 ? { runId, index } : null;
};

export const getCoverage = defineCapability({
  name: 'get_coverage',
  title: 'What was not observed',
  description:
    'The coverage of a run (the last one over everything unless one is named): how many checks were raised, clear, ' +
    'unobserved, accepted as gaps or warming up, how each source was read, and each check that was not observed, with why.',
  category: 'runs',
  method: 'GET',
  path: '/api/coverage',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({
    run: idInput.min(1).optional().describe('id of a run'),
    detector: nameInput.optional(),
    resource: nameInput.optional().describe('id of a resource'),
    ...pageInput,
  }),
  output: z.strictObject({
    run: runHead,
    unobserved: z.array(unobservedSchema).readonly(),
    nextCursor,
    total: z.int().describe('of those that are listed and match'),
    listed: z
      .int()
      .describe('of the run’s unobserved checks those that are listed; run.coverage.unobserved counts all'),
    quietWatches: quietWatchesView,
  }),
  invalidInput: 'invalid_request',
  errors: ['invalid_request', 'run_not_found'],
  handle: ({ run: asked, detector, resource, limit, cursor }, { ports: { runs } }) => {
    const position = cursor === undefined ? { runId: asked, index: 0 } : positionOf(cursor);
    if (position === null || (asked !== undefined && position.runId !== asked)) {
      return badCursor('invalid_request');
    }
    const run = position.runId === undefined ? lastWholeRun(runs) : runs.get(position.runId);
    if (run === null) {
      return fail(
        'run_not_found',
        position.runId === undefined ? 'no run over everything has ended yet' : 'there is no run with that id',
      );
    }
    const { unobserved } = readReport(runs, run.id);
    const matching = unobserved
      .filter((check) => detector === undefined || check.detector === detector)
      .filter((check) => resource === undefined || check.resourceId === resource);
    const end = position.index + limit;
    const { stages: _omitted, ...head } = viewRun(run);
    return succeed({
      run: head,
      unobserved: matching.slice(position.index, end),
      nextCursor: end < matching.length ? writeCursor(LIST, [run.id, end]) : null,
      total: matching.length,
      listed: unobserved.length,
      quietWatches: runs.quietWatches()[0] ?? null,
    });
  },
});
