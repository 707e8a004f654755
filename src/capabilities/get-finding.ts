/** `GET /api/findings/:id`: one problem, with all that happened to it. */
import { z } from 'zod';
import { FILED_BY } from '../../findings/finding.ts';
import { ENTRY_KINDS } from '../../findings/history-entry.ts';
import { SEVERITIES } from '../../signals/detector.ts';
import { PatroldError } from '../runtime/errors.ts';
import { fail, succeed } from './answer.ts';
import { type CapabilityContext, defineCapability } from './capability.ts';
import { atMs, facts, idInput } from './fields.ts';
import type { FindingStory } from './finding-port.ts';
import { findingView, viewFindings } from './finding-view.ts';
import { LARGEST_PAGE } from './paging.ts';

const episode = z.strictObject({
  findingId: z.string().describe('the finding in which it was counted; since merged into this one, perhaps'),
  number: z.int(),
  filedBy: z.enum(FILED_BY),
  startedAtMs: atMs,
  endedAtMs: atMs.nullable(),
  endedBy: z.string().nullable(),
  reason: z.string().nullable(),
  worst: z.enum(SEVERITIES),
});

const historyRow = z.strictObject({
  seq: z.int(),
  findingId: z.string(),
  kind: z.enum(ENTRY_KINDS),
  episode: z.int(),
  atMs,
  actor: z.strictObject({ kind: z.enum(['patrold', 'operator', 'model']), name: z.string().nullable() }),
  reason: z.string().nullable(),
  data: facts,
  runId: z.string().nullable(),
  requestId: z.string().nullable(),
});

const citedReading = z.strictObject({
  runId: z.string(),
  readingId: z.string(),
  sourceId: z.string(),
  kind: z.string(),
  takenAtMs: atMs,
  reading: z.record(z.string(), z.unknown()).nullable().describe('as it was; null: it was larger than what is kept'),
});

const output = z.strictObject({
  finding: findingView,
  episodes: z.array(episode).readonly(),
  history: z.array(historyRow).readonly().describe(`oldest first, ${LARGEST_PAGE} at most`),
  historyIsWhole: z.boolean().describe('false: there is more; ask with the last `seq` as `historyAfter`'),
  evidence: z.array(citedReading).readonly().describe('readings that it stands on, and those that history tells of'),
});

type Cited = FindingStory['evidence'][number];

const viewReading = ({ findingId: _finding, body, ...cited }: Cited): z.output<typeof citedReading> => ({
  ...cited,
  // patrold wrote it itself, as an object.
  reading: body === null ? null : (JSON.parse(body) as Record<string, unknown>),
});

const storyOf = (id: string, afterSeq: number, { ports: { findings } }: CapabilityContext) => {
  try {
    return succeed({ ...findings.story(id), rows: findings.history(id, afterSeq, LARGEST_PAGE + 1) });
  } catch (error) {
    if (!(error instanceof PatroldError)) throw error;
    if (error.code === 'finding_not_found') return fail('finding_not_found', error.message);
    if (error.code === 'finding_id_ambiguous') return fail('finding_id_ambiguous', error.message, error.details);
    throw error;
  }
};

export const getFinding = defineCapability({
  name: 'get_finding',
  title: 'One finding',
  description: 'A finding with its episodes, its whole history, and the readings that it stands on.',
  category: 'findings',
  method: 'GET',
  path: '/api/findings/:id',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({
    id: idInput.describe('its id, or a unique end or beginning of it'),
    historyAfter: z.int().min(0).default(0).describe('`seq` of the last row of history that is known already'),
  }),
  output,
  invalidInput: 'invalid_finding_request',
  errors: ['invalid_finding_request', 'missing_id', 'finding_not_found', 'finding_id_ambiguous'],
  handle: ({ id, historyAfter }, context) => {
    const found = storyOf(id, historyAfter, context);
    if (!found.ok) return found;
    const { finding, episodes, evidence, rows } = found.value;
    const [view] = viewFindings([finding], context);
    if (view === undefined) throw new TypeError('a finding has a view');
    return succeed({
      finding: view,
      episodes,
      history: rows.slice(0, LARGEST_PAGE),
      historyIsWhole: rows.length <= LARGEST_PAGE,
      evidence: evidence.map(viewReading),
    });
  },
});
