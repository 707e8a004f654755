import { z } from 'zod';
import { MAX_LOG_LINES } from '../sources/log.ts';
import { answerList } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resolveResource, resourceInput } from './named-resource.ts';
import { readOffset } from './showing/cursor.ts';
import { dataLine, fenced } from './showing/fence.ts';
import { shownInstant, shownText } from './showing/shown-text.ts';
import { defineTool, type ToolOutcome } from './tool.ts';

const input = z.strictObject({
  resource: resourceInput,
  contains: z.string().min(1).max(100).optional().describe('only lines with this text'),
  cursor: cursorInput,
});

/** Of one line; an exception's first words tell more than its tail. */
export const SHOWN_LINE_LENGTH = 400;

/** Lines that stay with a finding that cites them. */
const KEPT_LINES = 50;

/** Not an error of the call: nobody can know before that there is no log. */
const unread = (code: string, reason: string): ToolOutcome => ({
  kind: 'ok',
  text: `No log was read.\n${fenced([dataLine({ notObserved: code, reason: shownText(reason, 300) })])}`,
  evidence: [],
  touched: [],
});

export const readLogs = defineTool<LookingContext, z.output<typeof input>>({
  name: 'read_logs',
  effect: 'read',
  description: 'Last log lines of a service, container or host, newest first, with an evidence id for what was read.',
  input,
  timeoutMs: 30_000,
  run: async (asked, context, signal) => {
    const { resources, logs, evidence, nowMs } = context;
    const found = resolveResource(resources, asked.resource);
    if (!found.ok) return found.failure;
    const { resource } = found;
    const answer = await logs.read(resource, signal);
    if (!answer.ok) return unread(answer.code, answer.reason);
    const shown = answer.lines.map(({ atMs, text }) => ({ atMs, text: shownText(text, SHOWN_LINE_LENGTH) }));
    const part = asked.contains?.toLowerCase();
    const lines = shown.filter(({ text }) => part === undefined || text.toLowerCase().includes(part)).toReversed();
    const from = readOffset('read_logs', asked) ?? 0;
    const shows = lines.slice(from, from + KEPT_LINES);
    const stamp = { resourceId: resource.id, sourceId: answer.sourceId, takenAtMs: nowMs };
    const id = shows.length === 0 ? null : evidence.note({ kind: 'log', ...stamp, shows });
    return answerList(context, {
      tool: 'read_logs',
      asked,
      summary: `${lines.length} lines${part === undefined ? '' : ` of ${shown.length} that were read`}${
        answer.hasEarlier ? ` (no more than the newest ${MAX_LOG_LINES} are read)` : ''
      }.${id === null ? '' : ` Evidence id: ${id}.`}`,
      columns: ['at', 'line'],
      evidence: id === null ? [] : [id],
      touched: [resource.id],
      rows: lines.map(({ atMs, text }) => () => ({
        named: [],
        told: [atMs === null ? null : shownInstant(atMs), text],
      })),
    });
  },
});
