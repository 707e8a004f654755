/** Reads the journal of one unit of the machine, or what the machine as a whole reported as an error. */
import { type LogAnswer, type LogRequest, MAX_LOG_LINES, newestLines } from '../log.ts';
import type { HostContext } from './host-context.ts';
import { HOST_REF } from './host-context.ts';
import { readJournal } from './journal.ts';

/** systemd.unit(5), without what journalctl takes for a pattern. */
const UNIT_NAME = /^[A-Za-z0-9:_.\\@-]{1,255}$/;
const SERVICE_REF = 'service:';

/** Null: its name is none that journalctl would take literally. */
const selectionOf = ({ ref, kind }: LogRequest): readonly string[] | null => {
  if (ref === HOST_REF) return ['--priority=err'];
  const name = ref.startsWith(SERVICE_REF) ? ref.slice(SERVICE_REF.length) : '';
  return kind === 'service' && UNIT_NAME.test(name) ? [`--unit=${name}`] : null;
};

export const readUnitLog = async (
  host: Pick<HostContext, 'commands' | 'reader'>,
  request: LogRequest,
): Promise<LogAnswer> => {
  const selection = selectionOf(request);
  if (selection === null)
    return { ok: false, code: 'not_supported', reason: 'the journal is read of units and of the machine as a whole' };
  // Whole seconds, rounded down: what is written within this second would move the pages.
  const until = `--until=@${Math.floor(request.untilMs / 1_000)}`;
  const entries = await readJournal(host, [...selection, `--lines=${MAX_LOG_LINES + 1}`, until], null);
  if ('code' in entries) return { ok: false, ...entries };
  return newestLines(
    entries.map(({ atMs, text, identifier }) => ({
      atMs,
      text: identifier === null ? text : `${identifier}: ${text}`,
    })),
  );
};
