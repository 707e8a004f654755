/** `GET /api/findings/:id`: one problem, with all that happened to it. */
import { z } from 'zod';
import { FILED_BY } from '../../findings/finding.ts';
import { ENTRY_KINDS } from '../../findings/history-entry.ts';
import { type FindingDetail, MAX_HISTORY } from '../../findings/store.ts';
import { SEVERITIES } from '../../signals/detector.ts';
import { PatroldError } from '../runtime/errors.ts';
import { fail, succeed } from './answer.ts';
import { type CapabilityContext, defineCapability } from './capability.ts';
import { atMs, facts, idInput } from './fields.ts';
import { findingView, viewFindings } from './finding-view.ts';

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
  history: z.array(historyRow).readonly().describe('oldest first'),
  historyIsWhole: z.boolean().describe(`false: there is more than the ${MAX_HISTORY} rows of an answer`),
  evidence: z.array(citedReading).readonly().describe('readings that it stands on, and those that history tells of'),
});

type Cited = FindingDetail['evidence'][number];

const viewReading = ({ findingId: _finding, body, ...cited }: Cited): z.output<typeof citedReading> => ({
  ...cited,
  // patrold wrote it itself, as an object.
  reading: body === null ? null : (JSON.parse(body) as Record<string, unknown>),
});

const detailOf = (id: string, { ports }: CapabilityContext) => {
  try {
    return succeed(ports.findings.detail(id));
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
  input: z.strictObject({ id: idInput.describe('its id, or a unique end or beginning of it') }),
  output,
  invalidInput: 'invalid_finding_request',
  errors: ['invalid_finding_request', 'missing_id', 'finding_not_found', 'finding_id_ambiguous'],
  handle: ({ id }, context) => {
    const found = detailOf(id, context);
    if (!found.ok) return found;
    const { finding, episodes, history, evidence } = found.value;
    const [view] = viewFindings([finding], context);
    if (view === undefined) throw new TypeError('a finding has a view');
    return succeed({
      finding: view,
      episodes,
      history,
      historyIsWhole: history.length < MAX_HISTORY,
      evidence: evidence.map(viewReading),
    });
  },
});
