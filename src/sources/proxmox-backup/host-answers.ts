/** What the server says of the machine below it, and what is kept of that. */
import { z } from 'zod';
import type { GapCode } from '../../../signals/survey.ts';
import { normalizeFingerprint } from '../../runtime/http-tls.ts';
import { isDue } from '../proxmox/due.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import { nodeStatus, timeAnswer, versionSchema } from './answers.ts';
import type { Asking } from './asking.ts';
import { keepServer } from './server.ts';

interface Failure {
  readonly code: GapCode;
  readonly reason: string;
}

export interface HostAnswers {
  readonly version: string | null;
  readonly status: z.infer<typeof nodeStatus> | null;
  /** Null also where the token may not read it: that is told once, of all rights together. */
  readonly statusFailure: Failure | null;
  /** Null: not asked. Seconds since 1970, by its clock. */
  readonly time: { readonly time: number; readonly askedAtMs: number; readonly receivedAtMs: number } | null;
  readonly timeFailure: Failure | null;
  /** By its clock; null: not told. */
  readonly bootedAtS: number | null;
}

const BOOT_KEY = 'boot';
const VERSION_KEY = 'version';
/** Clocks may differ by so much before a boot counts as another one. */
const SAME_BOOT_S = 300;

export const readHostAnswers = async (asking: Asking): Promise<HostAnswers> => {
  const [status, time, version] = await Promise.all([readStatus(asking), readTime(asking), readVersion(asking)]);
  const told = status?.ok === true ? status.value : null;
  const shown = normalizeFingerprint(told?.info?.fingerprint ?? '');
  if (shown !== null) keepServer(asking.state, { fingerprint: shown });
  const { uptime = 0 } = told ?? {};
  return {
    version,
    status: told,
    statusFailure: status?.ok === false ? failureOf(status.failure) : null,
    time: time?.ok === true ? time.value : null,
    timeFailure: time?.ok === false ? failureOf(time.failure) : null,
    bootedAtS: bootOf(asking, uptime, time?.ok === true ? time.value.time : null),
  };
};

const failureOf = ({ code, reason }: Failure): Failure => ({ code, reason });

const readStatus = async ({ ask, rights }: Asking) =>
  rights.has('/system/status', 'Sys.Audit') ? ask.get(apiPath('nodes', 'localhost', 'status'), nodeStatus) : null;

const readTime = async (asking: Asking) => {
  if (!isDue(asking, 'hourly')) return null;
  const { ask, clock, state } = asking;
  const askedAtMs = clock.nowMs();
  const read = await ask.get(apiPath('nodes', 'localhost', 'time'), timeAnswer);
  if (!read.ok) return read;
  const { time, timezone = '' } = read.value;
  if (timezone !== '') keepServer(state, { timeZone: timezone });
  return { ok: true, value: { time, askedAtMs, receivedAtMs: clock.nowMs() } } as const;
};

/** Asked anew once a day: it decides which parameters the server understands. */
const readVersion = async (asking: Asking): Promise<string | null> => {
  const kept = z.string().safeParse(asking.state.get(VERSION_KEY)).data ?? null;
  if (kept !== null && !isDue(asking, 'daily')) return kept;
  const read = await asking.ask.get('/version', versionSchema);
  if (!read.ok) return kept;
  const { version, release } = read.value;
  // `4.1` with release `2`; older and newer ones write both into the first.
  const whole = release === undefined || version.split('.').length > 2 ? version : `${version}.${release}`;
  asking.state.set(VERSION_KEY, whole);
  return whole;
};

const bootOf = ({ clock, state }: Asking, uptimeS: number, timeS: number | null): number | null => {
  if (uptimeS === 0) return null;
  if (timeS !== null) {
    const bootedAtS = Math.round(timeS - uptimeS);
    state.set(BOOT_KEY, bootedAtS);
    return bootedAtS;
  }
  const kept = z.number().safeParse(state.get(BOOT_KEY)).data;
  return kept !== undefined && Math.abs(clock.nowMs() / 1000 - uptimeS - kept) < SAME_BOOT_S ? kept : null;
};
