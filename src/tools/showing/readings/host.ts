/** Readings of a machine, as facts. */
import type {
  BondReading,
  BootReading,
  ClockReading,
  CpuReading,
  MemoryErrorsReading,
  MemoryReading,
  OomKillsReading,
  TemperatureReading,
  UnitReading,
} from '../../../../signals/reading.ts';
import { bytes, celsius, instant, milliseconds, over, ratio } from '../figures.ts';
import { facts, listed, type ShownFacts } from '../shown-facts.ts';

export const showCpu = (cpu: CpuReading): ShownFacts =>
  facts({
    busy: ratio(cpu.busyRatio),
    over: over(cpu),
    iowait: ratio(cpu.iowaitRatio),
    steal: cpu.stealRatio === null ? undefined : ratio(cpu.stealRatio),
  });

export const showMemory = (memory: MemoryReading): ShownFacts =>
  facts({
    unavailable: ratio(memory.totalBytes > 0 ? memory.unavailableBytes / memory.totalBytes : null),
    total: bytes(memory.totalBytes),
    over: over(memory),
    mayBeCache: memory.excludesCache ? undefined : true,
    reclaimableArc: memory.reclaimableArcBytes === null ? undefined : bytes(memory.reclaimableArcBytes),
  });

export const showUnit = (unit: UnitReading): ShownFacts =>
  facts({
    state: `${unit.activeState} (${unit.subState})`,
    result: unit.result === null || unit.result === 'success' ? undefined : unit.result,
    since: instant(unit.stateSinceMs) ?? undefined,
    restarts: unit.restartCount,
  });

export const showOomKills = ({ sinceMs, kills, count }: OomKillsReading): ShownFacts =>
  facts({
    kills: count,
    since: instant(sinceMs),
    victims:
      kills === null
        ? null
        : listed(kills, ({ atMs, victim, inContainer }) =>
            facts({ at: instant(atMs), victim, inContainer: inContainer || undefined }),
          ),
  });

export const showBoot = (boot: BootReading): ShownFacts =>
  facts({
    booted: instant(boot.bootedAtMs),
    previousEndedOrderly: boot.previousEndedOrderly,
    previousEnded: instant(boot.previousEndedAtMs) ?? undefined,
  });

export const showMemoryErrors = ({ correctable, uncorrectable, bootedAtMs }: MemoryErrorsReading): ShownFacts =>
  facts({ correctable, uncorrectable, countedSince: instant(bootedAtMs) ?? undefined });

export const showTemperature = (reading: TemperatureReading): ShownFacts =>
  facts({
    sensor: reading.sensor,
    temperature: celsius(reading.celsius),
    over: over(reading),
    deviceWarnsAt: celsius(reading.warnCelsius) ?? undefined,
    deviceTripsAt: celsius(reading.criticalCelsius) ?? undefined,
  });

export const showClock = (clock: ClockReading): ShownFacts =>
  facts({
    synchronised: clock.synchronised,
    offset: milliseconds(clock.offsetMs),
    estimatedError: milliseconds(clock.estimatedErrorMs),
    toldInStepsOf: clock.resolutionMs > 1 ? milliseconds(clock.resolutionMs) : undefined,
  });

export const showBond = ({ name, members }: BondReading): ShownFacts =>
  facts({ bond: name, members: listed(members, (member) => `${member.name} ${member.up ? 'up' : 'down'}`) });
