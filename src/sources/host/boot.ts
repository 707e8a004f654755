/** This boot, and whether the one before it was shut down or just ended. */
import { z } from 'zod';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { type JournalEntry, readJournal } from './journal.ts';
import { NOTHING, part } from './part.ts';
import { type PreviousEnd, parseWtmp, previousEndByWtmp } from './wtmp.ts';

const STATE_KEY = 'previous-boot';
const rememberedSchema = z.object({ bootId: z.string(), orderly: z.boolean(), endedAtMs: z.number().nullable() });
const LAST_LINES = 60;
const WTMP_BYTES = 1_048_576;

/** Of a container, starts and stops are its host's doing. */
export const collectBoot: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const end = await previousEnd(host);
  return part({
    additions: [{ ref: HOST_REF, expects: ['boot'], facts: {} }],
    readings: [
      {
        kind: 'boot',
        bootedAtMs: host.procStat.bootedAtMs,
        previousEndedOrderly: end?.orderly ?? null,
        previousEndedAtMs: end?.endedAtMs ?? null,
        ref: HOST_REF,
        takenAtMs: host.clock.nowMs(),
      },
    ],
  });
};

/** It does not change while this boot lasts, so it is looked up once. */
const previousEnd = async (host: HostContext): Promise<PreviousEnd | null> => {
  const known = rememberedSchema.safeParse(host.state.get(STATE_KEY)).data;
  if (known !== undefined && known.bootId === host.bootId && host.bootId !== '') return known;
  const [journal, wtmp] = await Promise.all([byJournal(host), byWtmp(host)]);
  // A shutdown that either saw was one; the journal reaches up to the last seconds, wtmp does not.
  const end = journal?.orderly === true ? journal : wtmp?.orderly === true ? wtmp : (journal ?? wtmp);
  if (end !== null && host.bootId !== '') host.state.set(STATE_KEY, { bootId: host.bootId, ...end });
  return end;
};

const byWtmp = async ({ reader, procStat }: HostContext): Promise<PreviousEnd | null> => {
  const tail = await reader.readTail('/var/log/wtmp', WTMP_BYTES);
  const records = tail.kind === 'read' ? parseWtmp(tail.bytes) : null;
  return records === null ? null : previousEndByWtmp(records, procStat.bootedAtMs);
};

const byJournal = async (host: HostContext): Promise<PreviousEnd | null> => {
  if ((await host.reader.list('/run/systemd/journal')).kind === 'absent') return null;
  const entries = await readJournal(host, ['--boot=-1', `--lines=${LAST_LINES}`], null);
  return 'code' in entries ? null : previousEndByJournal(entries);
};

/** What systemd says when it goes down: its targets (old and new names), its own last words, those of systemd-shutdown. */
const LAST_WORDS =
  /^Reached target (?:.* - )?(?:System )?(?:Power[- ]?Off|Reboot|Shutdown|Halt|Kexec|Late Shutdown Services|Unmount All Filesystems|Final Step|Soft Reboot)|^Reached target (?:shutdown|umount|final|reboot|poweroff|halt|kexec)\.target|^Shutting down\.|^(?:Sending SIGTERM|Sending SIGKILL) to remaining processes|^Syncing filesystems and block devices|^System (?:is rebooting|is powering down|Power Off|Reboot)|^Powering off|^Rebooting|^Received SIGTERM from PID 1 \(systemd-shutdow/;

/** Null: no entries, so nothing is known. */
export const previousEndByJournal = (entries: readonly JournalEntry[]): PreviousEnd | null => {
  const last = entries.at(-1);
  if (last === undefined) return null;
  const orderly = entries.some(({ text, identifier }) => SPEAKERS.has(identifier ?? '') && LAST_WORDS.test(text));
  return { orderly, endedAtMs: last.atMs };
};

const SPEAKERS = new Set(['systemd', 'systemd-shutdown', 'systemd-journald', 'systemd-logind', 'kernel']);
