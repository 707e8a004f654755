/** Readings of clusters, of what answers, and of the sources themselves, as facts. */
import type {
  CephReading,
  CertificateReading,
  NodeStateReading,
  ProbeReading,
  QuorumReading,
  StorageStateReading,
  SurveyReading,
  TargetReading,
} from '../../../../signals/reading.ts';
import { instant, milliseconds } from '../figures.ts';
import { facts, listed, listedIfAny, type ShownFacts } from '../shown-facts.ts';

export const showQuorum = ({ quorate, nodes }: QuorumReading): ShownFacts =>
  facts({
    quorate,
    nodes: listed(
      nodes,
      ({ name, online }) => `${name} ${online === null ? 'unknown' : online ? 'online' : 'offline'}`,
    ),
  });

export const showNodeState = ({ online }: NodeStateReading): ShownFacts => facts({ online });

export const showCeph = ({ health, checks }: CephReading): ShownFacts =>
  facts({
    health,
    checks: listedIfAny(
      checks,
      ({ name, severity, summary, muted }) => `${severity} ${name}${muted ? ' (muted)' : ''}: ${summary}`,
    ),
  });

export const showStorageState = (storage: StorageStateReading): ShownFacts =>
  facts({
    enabled: storage.enabled,
    active: storage.active,
    inactiveOn: listedIfAny(storage.inactiveOn, (name) => name),
    holdsGuestDisks: storage.holdsGuestDisks,
  });

export const showProbe = (probe: ProbeReading): ShownFacts =>
  facts({
    check: probe.check,
    probe: probe.probe,
    answered: probe.answered,
    reason: probe.reason ?? undefined,
    latency: milliseconds(probe.latencyMs) ?? undefined,
  });

export const showCertificate = (certificate: CertificateReading): ShownFacts =>
  facts({
    subject: certificate.subject,
    ends: instant(certificate.notAfterMs),
    began: instant(certificate.notBeforeMs) ?? undefined,
    refusedBecause: certificate.invalidReason ?? undefined,
    renewsItself: certificate.renewsItself || undefined,
  });

export const showTarget = (target: TargetReading): ShownFacts =>
  facts({
    job: target.job,
    instance: target.instance,
    up: target.up,
    downSince: instant(target.downSinceMs) ?? undefined,
    error: target.lastError === null || target.lastError === '' ? undefined : target.lastError,
  });

export const showSurvey = ({ outcome, reason }: SurveyReading): ShownFacts =>
  facts({ outcome, reason: reason ?? undefined });
