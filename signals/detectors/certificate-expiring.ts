/** A served certificate that ends soon, has ended, or is refused. */
import { type DetectorInput, defineDetector, isWorse, type Judgement } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { judgeLevel } from '../level.ts';
import { type Bound, type EffectiveLimit, isWritten } from '../limit.ts';
import { newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';

const KINDS = ['endpoint', 'host', 'node', 'vm', 'container', 'service', 'datastore', 'storage'] as const;

const DAY_MS = 86_400_000;

/** A certificate that was made this moment may look as if it were not valid yet. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** Proxmox renews its own certificates 14 days before their end: below this it has failed to. */
const RENEWS_ITSELF_DAYS = 10;

type Input = DetectorInput<'certificate', 'certificate'>;
type Certificate = ReadingOf<'certificate'>;

const atMost = (bound: Bound | null, days: number, clearBy: number, reason: string): Bound | null => {
  if (bound === null || isWritten(bound.origin) || bound.trigger <= days) return bound;
  return { trigger: days, clear: days + Math.min(clearBy, days / 2), origin: { kind: 'derived', reason } };
};

/** What the operator wrote is taken as written; the defaults are too long for certificates that live shorter. */
const limitFor = (limit: EffectiveLimit, { notBeforeMs, notAfterMs, renewsItself }: Certificate): EffectiveLimit => {
  const lifeDays = notBeforeMs === null ? null : Math.max(0, notAfterMs - notBeforeMs) / DAY_MS;
  const { clearBy } = limit.spec;
  let { warning, critical } = limit;
  if (renewsItself) warning = atMost(warning, RENEWS_ITSELF_DAYS, clearBy, 'it renews itself 14 days before its end');
  if (lifeDays !== null) warning = atMost(warning, lifeDays / 4, clearBy, 'a quarter of its life');
  if (warning !== null && critical !== null && critical.trigger > warning.trigger / 2)
    critical = atMost(critical, warning.trigger / 2, clearBy, 'half of the warning limit');
  return { ...limit, warning, critical };
};

const subjectOf = ({ subject }: Certificate): string | null => (subject === '' ? null : subject);

/** Why clients refuse it now, whatever is left of its life. */
const refusal = ({ notBeforeMs, notAfterMs, invalidReason }: Certificate, nowMs: number): string | null => {
  if (invalidReason !== null) return invalidReason;
  if (notAfterMs <= nowMs) return `it ended ${formatDuration(nowMs - notAfterMs)} ago, ${dateText(notAfterMs)}`;
  if (notBeforeMs === null || notBeforeMs <= nowMs + CLOCKS_DIFFER_MS) return null;
  return `it is not valid before ${dateText(notBeforeMs)}`;
};

/** The last instant that a date can hold (ECMA-262). */
const LAST_DATE_MS = 8.64e15;

const dateText = (ms: number): string =>
  Math.abs(ms) > LAST_DATE_MS
    ? 'a date beyond all calendars'
    : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const judge = ({ limits, before, nowMs }: Input, reading: Certificate): Judgement => {
  const subject = subjectOf(reading);
  const leftMs = reading.notAfterMs - nowMs;
  const limit = limitFor(limits.certificate, reading);
  const refused = refusal(reading, nowMs);
  if (refused !== null) {
    return {
      state: 'raised',
      subject,
      severity: 'critical',
      level: { value: leftMs / DAY_MS, limit: null, unit: 'days', direction: 'below' },
      summary: `the certificate of ${reading.subject} is refused: ${refused}`,
      clearsWhen: 'a certificate is served that clients accept, or this one is pinned or trusted in the configuration',
      evidence: [reading.id],
    };
  }
  return judgeLevel({
    limit,
    subject,
    value: leftMs / DAY_MS,
    before: before(subject),
    evidence: [reading.id],
    what: () =>
      `the certificate of ${reading.subject} ends in ${formatDuration(leftMs)}, ${dateText(reading.notAfterMs)}`,
    clears: 'what is left of a certificate that is served',
  });
};

/** Two places may serve certificates of one name: the worse one counts. */
const worse = (a: Judgement, b: Judgement): boolean =>
  a.state === 'raised' && (b.state !== 'raised' || isWorse(a.severity, b.severity));

export const certificateExpiring = defineDetector({
  type: 'certificate_expiring',
  title: 'Certificate is about to end',
  category: 'security',
  kinds: KINDS,
  reads: ['certificate'],
  sources: 'each',
  limits: {
    certificate: {
      metric: 'certificate',
      kinds: KINDS,
      unit: 'days',
      direction: 'below',
      warning: 20,
      critical: 3,
      clearBy: 1,
      forMs: 0,
      because:
        'automatic renewal of 90-day certificates begins 30 days before the end, so that below 20 it has failed several times',
    },
  },
  explain:
    'The certificate that was really served, by each check or probe. The warning is at 20 days or, where that is less, a quarter of its life (10 days for those that Proxmox renews by itself); critical at 3 days, or half of the warning where that is less, and whenever clients refuse it: ended, not valid yet, made out to another name, not trusted. What the operator writes as a limit is taken as written. A probe that fails shows no certificate, and clears nothing.',
  detect: (input: Input): readonly Judgement[] => {
    const bySubject = new Map<string | null, Judgement>();
    const latest = newestBy(input.readings, ({ subject, notAfterMs }) => `${subject}\n${notAfterMs}`);
    for (const reading of latest.values()) {
      const judgement = judge(input, reading);
      const known = bySubject.get(judgement.subject);
      if (known === undefined || worse(judgement, known)) bySubject.set(judgement.subject, judgement);
    }
    return [...bySubject.values()];
  },
});
