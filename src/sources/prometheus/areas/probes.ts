/** Probes of blackbox_exporter: whether a target answered, and which certificate it showed. */
import { proof } from '../../../../signals/claim.ts';
import type { ProbeReading } from '../../../../signals/reading.ts';
import { redactSecrets } from '../../../runtime/redact-secrets.ts';
import { cleanText } from '../../../runtime/text.ts';
import { type Labels, targetKey } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { prometheusLimits } from '../prometheus-limits.ts';
import { anyOf, seconds } from '../promql.ts';
import { addReading, isWhole, type SurveyWorld, toOurs } from '../survey-world.ts';

const DETAILS = [
  'probe_duration_seconds',
  'probe_http_status_code',
  'probe_icmp_duration_seconds',
  'probe_failed_due_to_regex',
  'probe_dns_lookup_time_seconds',
];

export const probesArea = defineArea({
  name: 'probes',
  queries: [
    {
      name: 'probe_success',
      needs: ['probe_success'],
      reads: ['probe', 'certificate'],
      promql: ({ select }) => select('probe_success'),
    },
    {
      name: 'probe_details',
      needs: ['probe_success'],
      reads: ['probe'],
      promql: ({ select }) => anyOf(select, DETAILS),
      enriches: true,
    },
    {
      name: 'probe_certificates',
      needs: ['probe_ssl_earliest_cert_expiry'],
      reads: ['certificate'],
      promql: ({ select }) => select('probe_ssl_earliest_cert_expiry'),
    },
    {
      name: 'probe_certificate_names',
      needs: ['probe_ssl_last_chain_info'],
      reads: ['certificate'],
      promql: ({ select }) => select('probe_ssl_last_chain_info'),
    },
    {
      name: 'probe_success_down',
      needs: ['probe_success'],
      reads: ['probe'],
      promql: ({ select }) =>
        `last_over_time(${select('probe_success')}[${seconds(prometheusLimits.lastWordsMs)}]) and on (job, instance) (${select('up')} == 0)`,
      when: (first) => first.series('targets_up').some((series) => lastValue(series) !== 1),
    },
  ],
  map: (world) => {
    const { answers } = world;
    const details = Map.groupBy(answers.series('probe_details'), ({ labels }) => targetKey(labels));
    for (const series of answers.series('probe_success')) {
      const own = new Map(
        (details.get(targetKey(series.labels)) ?? []).map((detail) => [
          label(detail.labels, '__name__'),
          lastValue(detail),
        ]),
      );
      addReading(
        world,
        claimEndpoint(world, series.labels),
        series.labels,
        probeReading(series.labels, lastValue(series) === 1, own),
      );
    }
    for (const { labels } of answers.series('probe_success_down')) {
      // Its exporter does not answer: addReading says so instead.
      addReading(world, claimEndpoint(world, labels), labels, probeReading(labels, false, new Map()));
    }
    mapCertificates(world);
  },
});

const claimEndpoint = ({ out, hosts }: SurveyWorld, labels: Labels): string => {
  const instance = redactSecrets(cleanText(label(labels, 'instance'), prometheusLimits.nameLength));
  const ref = `probe:${instance}`;
  out.claim({
    ref,
    kind: 'endpoint',
    name: instance,
    parentRef: hosts.known(labels)?.ref ?? null,
    keys: [proof(`probe-target:${instance}`)],
    expects: ['probe'],
  });
  return ref;
};

const probeReading = (labels: Labels, answered: boolean, details: ReadonlyMap<string, number>): ProbeReading => {
  const status = details.get('probe_http_status_code');
  const durationS = details.get('probe_duration_seconds');
  return {
    kind: 'probe',
    expected: true,
    check: cleanText(label(labels, 'job'), 100),
    probe: status !== undefined ? 'http' : details.has('probe_icmp_duration_seconds') ? 'icmp' : 'other',
    answered,
    reason: answered ? null : failure(status, details.get('probe_failed_due_to_regex')),
    latencyMs: durationS === undefined ? null : durationS * 1000,
  };
};

const failure = (status: number | undefined, byRegex: number | undefined): string => {
  if (byRegex === 1) return 'the answer does not hold what the probe asks for';
  if (status === undefined || status === 0) return 'blackbox_exporter got no answer';
  return `status ${status}, which the probe does not accept`;
};

const mapCertificates = (world: SurveyWorld): void => {
  const { answers } = world;
  // The name is the subject: with another one, the same certificate would be another problem.
  if (!isWhole(world, 'probe_certificate_names')) return;
  const subjects = new Map(
    answers.series('probe_certificate_names').map(({ labels }) => [targetKey(labels), label(labels, 'subject')]),
  );
  for (const series of answers.series('probe_certificates')) {
    const expiresS = lastValue(series);
    // A probe that saw no certificate writes the zero of Go's time.
    if (expiresS <= 0) continue;
    const ref = claimEndpoint(world, series.labels);
    addReading(world, ref, series.labels, {
      kind: 'certificate',
      subject: cleanText(subjects.get(targetKey(series.labels)) || label(series.labels, 'instance'), 200),
      notBeforeMs: null,
      notAfterMs: toOurs(world, expiresS * 1000),
      invalidReason: null,
      renewsItself: false,
    });
  }
};
