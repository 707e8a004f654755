/** `GET /api/runs`: what was run, newest first. */
import { z } from 'zod';
import { RUN_STATUSES } from '../patrol/run-status.ts';
import { succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { badCursor, nextCursor, pageInput, readCursor, writeCursor } from './paging.ts';
import { quietWatchesView, RUN_KINDS, runView, viewRun } from './run-view.ts';

const LIST = 'runs';

export const listRuns = defineCapability({
  name: 'list_runs',
  title: 'Runs',
  description: 'Patrols and watches, newest first, with their status, stages and coverage.',
  category: 'runs',
  method: 'GET',
  path: '/api/runs',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({
    kind: z.enum(RUN_KINDS).optional(),
    status: z.enum(RUN_STATUSES).optional(),
    ...pageInput,
  }),
  output: z.strictObject({ items: z.array(runView).readonly(), nextCursor, quietWatches: quietWatchesView }),
  invalidInput: 'invalid_request',
  errors: ['invalid_request'],
  handle: ({ kind, status, limit, cursor }, { ports: { runs } }) => {
    const position = cursor === undefined ? [] : readCursor(LIST, cursor);
    const [beforeId] = position ?? [];
    if (position === null || typeof beforeId === 'number') {
      return badCursor('invalid_request');
    }
    const found = runs.list({ limit: limit + 1, beforeId, kind, status });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return succeed({
      items: page.map(viewRun),
      nextCursor: found.length > limit && last !== undefined ? writeCursor(LIST, [last.id]) : null,
      quietWatches: runs.quietWatches()[0] ?? null,
    });
  },
});
