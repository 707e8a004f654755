/** Surveys of a backup server from a table of answers, and what detectors say of them. */
import { proof, type ResourceClaim } from '../../signals/claim.ts';
import {
  type ProxmoxBackupConfig,
  proxmoxBackupConfigSchema,
} from '../../src/sources/proxmox-backup/proxmox-backup-config.ts';
import { createProxmoxBackupSource } from '../../src/sources/proxmox-backup/proxmox-backup-source.ts';
import type { ShowCertificate } from '../../src/sources/proxmox-backup/world.ts';
import type { SurveyRequest } from '../../src/sources/source.ts';
import { createFakeClock } from './fake-clock.ts';
import { claimOf } from './identities.ts';
import { createJudge } from './judge-sighting.ts';
import { createMemoryState } from './memory-state.ts';
import { type AnswerTable, tableTransport } from './proxmox-answers.ts';
import { PBS_NOW_MS, PBS_SERVER, pbsAnswers } from './proxmox-backup-answers.ts';
import { surveyRequest } from './source-deps.ts';

/** A guest that answers to a group of `store1`, as a cluster that writes there claims it. */
export const guestOf = (type: 'vm' | 'ct', id: string | number, namespace = ''): ResourceClaim =>
  claimOf(type === 'vm' ? 'vm' : 'container', `guest:${id}${namespace}`, [proof(`guest:${id}${namespace}`)], {
    name: `${type}${id}`,
    answersTo: [`pbs-group:${PBS_SERVER}/store1/${namespace}/${type}/${id}`],
  });

interface Options {
  readonly config?: Partial<ProxmoxBackupConfig>;
  /** What a cluster that writes there sees. */
  readonly guests?: readonly ResourceClaim[];
  readonly showCertificate?: ShowCertificate;
}

export const startBackupServer = (
  first: AnswerTable = {},
  { config = {}, guests = [], showCertificate }: Options = {},
) => {
  const clock = createFakeClock(PBS_NOW_MS);
  const time = (): unknown => ({ time: Math.floor(clock.nowMs() / 1000), timezone: 'Europe/Vienna' });
  const well = (): AnswerTable => ({ ...pbsAnswers(), '/nodes/localhost/time': time, ...first });
  const transport = tableTransport(well());
  const judge = createJudge();
  const state = createMemoryState();
  let lastSurveyAtMs: number | null = null;
  const parsed = proxmoxBackupConfigSchema.parse({
    endpoints: ['pbs.example'],
    tokenId: 'patrold@pbs!read',
    tokenSecret: 'x',
    fingerprint: PBS_SERVER,
  });
  const source = createProxmoxBackupSource({
    id: 'backups',
    config: { ...parsed, ...config },
    clock,
    state,
    transport,
    showCertificate: showCertificate ?? null,
  });
  const look = async (more: Partial<SurveyRequest> = {}) => {
    const before = transport.asked.length;
    const sighting = await source.survey(surveyRequest({ lastSurveyAtMs, ...more }));
    const nowMs = clock.nowMs();
    const { states } = judge.judge({ ...sighting, claims: [...guests, ...sighting.claims] }, nowMs, lastSurveyAtMs);
    lastSurveyAtMs = nowMs;
    return { sighting, states, requests: transport.asked.slice(before) };
  };
  /** From now on; what is not named stays. */
  const answer = (more: AnswerTable): void => transport.answer({ ...well(), ...more });
  return { clock, source, state, transport, look, answer };
};

export const HOURLY = { paces: ['fast', 'hourly'] } as const;
export const FAST = { paces: ['fast'] } as const;
