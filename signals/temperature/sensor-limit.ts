/** Which limit holds for a sensor: the operator's, else the device's own trip points, else that of its class. */
import { boundOf } from '../bound.ts';
import { type Bound, type EffectiveLimit, isWritten, type LimitOrigin } from '../limit.ts';
import type { TemperatureReading } from '../reading.ts';

export interface TemperatureLimits {
  /** Has no default: what is here, the operator wrote. */
  readonly any: EffectiveLimit;
  readonly hdd: EffectiveLimit;
  readonly ssd: EffectiveLimit;
  readonly nvme: EffectiveLimit;
}

/** From a trip point to the warning before it, where a device names only the critical one. */
const WARN_BEFORE_CELSIUS = 5;

/** Registers that nobody set read as some extreme. */
const isTrip = (celsius: number | null): celsius is number => celsius !== null && celsius >= 30 && celsius <= 150;

const TRIP_POINT: LimitOrigin = { kind: 'derived', reason: "the device's own trip point" };
const BEFORE_TRIP_POINT: LimitOrigin = {
  kind: 'derived',
  reason: `${WARN_BEFORE_CELSIUS} °C before the device's own critical trip point`,
};

const NOT_WRITTEN = { value: null, origin: { kind: 'default' }, rank: 0 } as const;

const tripBound = ({ spec }: EffectiveLimit, value: number, origin: LimitOrigin): Bound | null =>
  boundOf(spec, { value, origin, rank: 0 }, NOT_WRITTEN);

const classLimit = (
  { hdd, ssd, nvme }: TemperatureLimits,
  deviceClass: TemperatureReading['deviceClass'],
): EffectiveLimit | null => {
  switch (deviceClass) {
    case 'hdd':
      return hdd;
    case 'sata-ssd':
      return ssd;
    case 'nvme':
      return nvme;
    case 'cpu':
    case 'other':
      return null;
  }
};

/** What the operator wrote stays; where nothing is written, trip points replace the defaults of the class. */
const withTripPoints = (
  limit: EffectiveLimit,
  { warnCelsius, criticalCelsius }: TemperatureReading,
): EffectiveLimit => {
  const critical = isTrip(criticalCelsius) ? tripBound(limit, criticalCelsius, TRIP_POINT) : null;
  const warn = isTrip(warnCelsius) && (critical === null || warnCelsius < critical.trigger) ? warnCelsius : null;
  const warning =
    warn !== null
      ? tripBound(limit, warn, TRIP_POINT)
      : critical === null
        ? null
        : tripBound(limit, critical.trigger - WARN_BEFORE_CELSIUS, BEFORE_TRIP_POINT);
  if (warning === null) return limit;
  const keep = (bound: Bound | null): boolean => bound !== null && isWritten(bound.origin);
  return {
    ...limit,
    warning: keep(limit.warning) ? limit.warning : warning,
    critical: keep(limit.critical) ? limit.critical : critical,
  };
};

/** Null: none is known, or it is switched off. */
export const temperatureLimit = (limits: TemperatureLimits, reading: TemperatureReading): EffectiveLimit | null => {
  const { any } = limits;
  if (any.off !== null) return null;
  const own = classLimit(limits, reading.deviceClass);
  if (own?.off != null) return null;
  const usual = withTripPoints(own ?? any, reading);
  const limit: EffectiveLimit = {
    ...usual,
    warning: any.warning ?? usual.warning,
    critical: any.critical ?? criticalPast(any, usual),
  };
  return limit.warning === null && limit.critical === null ? null : limit;
};

/** A critical limit that nobody wrote must lie past the warning that the operator wrote. */
const criticalPast = (any: EffectiveLimit, { critical }: EffectiveLimit): Bound | null =>
  any.warning !== null && critical !== null && critical.trigger <= any.warning.trigger ? null : critical;
