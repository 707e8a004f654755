/** A disk's temperature out of smartctl's report, for disks that the kernel has no sensor for. */
import type { TemperatureReading } from '../../../signals/reading.ts';
import type { DiskClass } from './disk-kind.ts';
import type { SmartReport } from './smart-schema.ts';

const MINUTE_MS = 60_000;
/** The window in which temperatures are judged by default. */
const WINDOW_MINUTES = 5;
/** One sensor, whoever reads it. */
export const DISK_SENSOR = 'drive';

export const smartTemperature = (report: SmartReport, deviceClass: DiskClass): TemperatureReading | null => {
  const current = report.temperature?.current;
  // Bridges and RAID volumes answer 0 where they know none.
  if (current === undefined || current <= 0) return null;
  const mean = recentMean(report);
  const nvme = report.nvme_composite_temperature_threshold;
  const trip = report.temperature?.drive_trip ?? 0;
  return {
    kind: 'temperature',
    sensor: DISK_SENSOR,
    celsius: mean?.celsius ?? current,
    windowMs: mean?.windowMs ?? 0,
    observedRatio: 1,
    warnCelsius: nvme?.warning ?? null,
    criticalCelsius: nvme?.critical ?? (trip > 0 ? trip : null),
    deviceClass,
  };
};

/** ATA disks keep a history of their own (SCT), newest last. */
const recentMean = (report: SmartReport): { celsius: number; windowMs: number } | null => {
  const intervalMinutes = report.ata_sct_temperature_history?.logging_interval_minutes ?? 0;
  if (intervalMinutes <= 0) return null;
  const wanted = Math.ceil(WINDOW_MINUTES / intervalMinutes);
  const recent = (report.ata_sct_temperature_history?.table ?? []).slice(-wanted).filter((celsius) => celsius !== null);
  if (recent.length < wanted) return null;
  const celsius = recent.reduce((sum, value) => sum + value, 0) / recent.length;
  return { celsius, windowMs: wanted * intervalMinutes * MINUTE_MS };
};
