/** systemd units: which are in which state since when, and how often they were restarted. */
import { z } from 'zod';
import { claimDefaults, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { UnitReading } from '../../../signals/reading.ts';
import type { ResourceStatus } from '../../../signals/resource.ts';
import type { Gap } from '../../../signals/survey.ts';
import { cleanText } from '../../runtime/text.ts';
import { failureOf, type Trouble, troubleOf } from './command-trouble.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { NOTHING, part } from './part.ts';
import { type ParsedUnits, parseUnits, SHOW_UNITS, type Unit } from './unit-properties.ts';
import { isTroubled, watchedUnits } from './unit-scope.ts';

const STATE_KEY = 'troubled-units';
/** Services of one machine; container hosts and desktops have some 200. */
const UNITS = 400;
const REMEMBERED = 256;

export const collectUnits: Collector = async (host) => {
  // systemd's own sign that it runs the machine (sd_booted(3)).
  if ((await host.reader.list('/run/systemd/system')).kind === 'absent') return NOTHING;
  const parsed = await readUnits(host);
  if ('code' in parsed) return part({ gaps: [hostGap(parsed)] });
  const seenInTrouble = new Set(z.array(z.string()).safeParse(host.state.get(STATE_KEY)).data ?? []);
  const watched = watchedUnits(parsed.units, seenInTrouble);
  const kept = watched.slice(0, UNITS);
  host.state.set(
    STATE_KEY,
    kept
      .filter((unit) => isTroubled(unit) || seenInTrouble.has(unit.name))
      .map(({ name }) => name)
      .slice(0, REMEMBERED),
  );
  const gaps: readonly Gap[] = [
    ...(watched.length > UNITS
      ? [hostGap({ code: 'cut_short', reason: `${watched.length} units, of which ${UNITS} are watched` })]
      : []),
    ...(parsed.malformed > 0
      ? [hostGap({ code: 'malformed', reason: `${parsed.malformed} units are not understood` })]
      : []),
  ];
  return part({
    claims: kept.map(claimOf),
    readings: kept.map((unit) => ({ ...readingOf(host, unit), ref: refOf(unit), takenAtMs: host.clock.nowMs() })),
    gaps,
    listed: gaps.length === 0 ? [{ kind: 'service', parentRef: HOST_REF }] : [],
  });
};

const hostGap = (trouble: Trouble): Gap => ({ ref: HOST_REF, reads: ['unit'], ...trouble });

const readUnits = async ({ commands, reader }: HostContext): Promise<ParsedUnits | Trouble> => {
  // Below another root systemd is reached over the machine's own bus.
  const bus = `unix:path=${reader.root}/run/dbus/system_bus_socket`;
  const env: Readonly<Record<string, string>> = reader.root === '/' ? {} : { DBUS_SYSTEM_BUS_ADDRESS: bus };
  const result = await commands.run('systemctl', SHOW_UNITS, { env });
  const trouble = troubleOf(result, 'systemctl', 'install systemd in the image that patrold runs in');
  if (trouble !== null || result.kind !== 'exited')
    return trouble ?? { code: 'failed', reason: '`systemctl` did not run' };
  const parsed = parseUnits(result.stdout);
  if (parsed.units.length > 0) return parsed;
  const failure = failureOf(result, 'systemctl');
  const hint = `: mount /run/systemd/system and ${reader.root}/run/dbus into the container`;
  return result.code === 0
    ? { code: 'empty', reason: '`systemctl show` knows no unit, though systemd runs this machine' }
    : { ...failure, reason: `${failure.reason}${reader.root === '/' ? '' : hint}` };
};

const NAME_CHARACTERS = 256;
const nameOf = ({ name }: Unit): string => cleanText(name, NAME_CHARACTERS);
const refOf = (unit: Unit): string => `service:${nameOf(unit)}`;

const STATUSES: Readonly<Record<UnitReading['activeState'], ResourceStatus>> = {
  active: 'running',
  reloading: 'running',
  inactive: 'stopped',
  failed: 'failed',
  activating: 'starting',
  deactivating: 'running',
  maintenance: 'degraded',
};

const claimOf = (unit: Unit): ResourceClaim => ({
  ...claimDefaults,
  ref: refOf(unit),
  kind: 'service',
  name: nameOf(unit),
  parentRef: HOST_REF,
  keys: [proof(`unit:${nameOf(unit)}`, 'parent')],
  slug: nameOf(unit),
  status: STATUSES[unit.activeState],
  expects: ['unit'],
  facts: { unitFileState: unit.unitFileState },
});

const readingOf = ({ nowMs, uptimeMs }: HostContext, unit: Unit): UnitReading => ({
  kind: 'unit',
  activeState: unit.activeState,
  subState: cleanText(unit.subState, 64),
  result: unit.result === null ? null : cleanText(unit.result, 64),
  stateSinceMs: unit.changedAtUs === null ? null : nowMs - Math.max(0, uptimeMs - unit.changedAtUs / 1_000),
  restartCount: unit.restartCount,
});
