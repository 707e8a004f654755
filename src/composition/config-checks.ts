/** Rules of the config that span several settings, or that only another part of patrold can judge. */
import type { ConfigPath } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { suggest } from '../config/suggest.ts';
import { parseCron } from '../patrol/schedule.ts';
import { BACKUPS_ID, CHECKS_ID } from '../patrol/settings-from-config.ts';

interface Complaint {
  readonly path: ConfigPath;
  readonly message: string;
  readonly suggestion?: string;
}

export const localTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const scheduleComplaints = ({ patrol }: Config): readonly Complaint[] => {
  const zone = patrol.timeZone ?? localTimeZone();
  try {
    parseCron('0 0 * * *', zone);
  } catch {
    return [
      {
        path: ['patrol', 'timeZone'],
        message: `"${zone}" is no IANA time zone`,
        suggestion: 'write one such as Europe/Vienna',
      },
    ];
  }
  if (patrol.schedule === false || patrol.schedule === 'off') return [];
  try {
    parseCron(patrol.schedule, zone);
    return [];
  } catch (error) {
    return [{ path: ['patrol', 'schedule'], message: error instanceof Error ? error.message : String(error) }];
  }
};

const idComplaints = ({ sources }: Config): readonly Complaint[] => {
  const seen = new Set<string>([CHECKS_ID, BACKUPS_ID]);
  return sources.flatMap(({ id }, index) => {
    const taken = seen.has(id);
    seen.add(id);
    return taken ? [{ path: ['sources', index, 'id'], message: `the id "${id}" is taken already` }] : [];
  });
};

const overrideComplaints = ({ alerts, sources }: Config): readonly Complaint[] => {
  const ids = [...sources.map(({ id }) => id), CHECKS_ID, BACKUPS_ID];
  return alerts.overrides.flatMap(({ match }, index) => {
    if (match.source === undefined || ids.includes(match.source)) return [];
    const near = suggest(match.source, ids);
    const message = `there is no source "${match.source}"`;
    return [
      {
        path: ['alerts', 'overrides', index, 'match', 'source'],
        message,
        suggestion: near === null ? `the sources are ${ids.join(', ')}` : `did you mean "${near}"?`,
      },
    ];
  });
};

export const checkConfig = (config: Config): readonly Complaint[] => [
  ...scheduleComplaints(config),
  ...idComplaints(config),
  ...overrideComplaints(config),
];
