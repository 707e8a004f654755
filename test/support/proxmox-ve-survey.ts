/** Surveys of a cluster from a table of answers, and what detectors say of them. */

import { type ProxmoxVeConfig, proxmoxVeConfigSchema } from '../../src/sources/proxmox-ve/proxmox-ve-config.ts';
import { createProxmoxVeSource } from '../../src/sources/proxmox-ve/proxmox-ve-source.ts';
import type { Sighting, SurveyRequest } from '../../src/sources/source.ts';
import { createFakeClock } from './fake-clock.ts';
import { createJudge } from './judge-sighting.ts';
import { createMemoryState } from './memory-state.ts';
import { type AnswerTable, tableTransport } from './proxmox-answers.ts';
import { clusterAnswers } from './proxmox-ve-cluster.ts';
import { NOW_MS } from './proxmox-ve-rows.ts';
import { surveyRequest } from './source-deps.ts';

export const startCluster = (first: AnswerTable = clusterAnswers(), config: Partial<ProxmoxVeConfig> = {}) => {
  const clock = createFakeClock(NOW_MS);
  const transport = tableTransport(first);
  const judge = createJudge();
  const state = createMemoryState();
  let lastSurveyAtMs: number | null = null;
  const parsed = proxmoxVeConfigSchema.parse({ endpoints: ['pve1'], tokenId: 'patrold@pve!read', tokenSecret: 'x' });
  const source = createProxmoxVeSource({ id: 'home', config: { ...parsed, ...config }, clock, state, transport });
  const look = async (more: Partial<SurveyRequest> = {}) => {
    const before = transport.asked.length;
    const sighting: Sighting = await source.survey(surveyRequest({ lastSurveyAtMs, ...more }));
    const nowMs = clock.nowMs();
    const { states } = judge.judge(sighting, nowMs, lastSurveyAtMs);
    lastSurveyAtMs = nowMs;
    return { sighting, states, requests: transport.asked.length - before };
  };
  return { clock, source, state, transport, look };
};

export const WATCH = { paces: ['fast'] } as const;
