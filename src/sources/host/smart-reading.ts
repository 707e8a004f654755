/** From smartctl's report to what detectors judge. */
import { z } from 'zod';
import type { NvmeHealth, ScsiHealth, SmartDeviceClass, SmartReading } from '../../../signals/reading.ts';
import { smartAttributes } from './smart-attribute.ts';
import type { SmartReport } from './smart-schema.ts';
import { selfTests } from './smart-self-tests.ts';
import { wearUsedPercent } from './smart-wear.ts';

const nvmeLog = z.object({
  critical_warning: z.number(),
  available_spare: z.number(),
  available_spare_threshold: z.number(),
  media_errors: z.coerce.number(),
  percentage_used: z.number().optional(),
});

/** `rotational` by the kernel, where the disk does not say how fast it turns. */
export const smartReading = (report: SmartReport, rotational: boolean): SmartReading => {
  const deviceClass = classOf(report, rotational);
  const attributes = smartAttributes(report.ata_smart_attributes?.table ?? []);
  const nvme = nvmeHealth(report);
  const scsi = deviceClass === 'scsi' ? scsiHealth(report) : null;
  return {
    kind: 'smart',
    deviceClass,
    healthPassed: report.smart_status?.passed ?? null,
    logRead: isLogRead(deviceClass, attributes.length, nvme, scsi),
    attributes,
    nvme,
    scsi,
    wearUsedPercent: nvmeWear(report) ?? wearUsedPercent(report, attributes, deviceClass === 'ata-ssd'),
    powerOnHours: report.power_on_time?.hours ?? null,
    selfTests: selfTests(report),
  };
};

const classOf = (report: SmartReport, rotational: boolean): SmartDeviceClass => {
  switch (report.device?.protocol) {
    case 'NVMe':
      return 'nvme';
    case 'SCSI':
      return 'scsi';
    default:
      return (report.rotation_rate === undefined ? rotational : report.rotation_rate > 0) ? 'ata-hdd' : 'ata-ssd';
  }
};

const nvmeHealth = (report: SmartReport): NvmeHealth | null => {
  const log = nvmeLog.safeParse(report.nvme_smart_health_information_log).data;
  return log === undefined
    ? null
    : {
        criticalWarning: log.critical_warning,
        availableSparePercent: log.available_spare,
        availableSpareThresholdPercent: log.available_spare_threshold,
        mediaErrors: log.media_errors,
      };
};

const nvmeWear = (report: SmartReport): number | null =>
  nvmeLog.safeParse(report.nvme_smart_health_information_log).data?.percentage_used ?? null;

const scsiHealth = (report: SmartReport): ScsiHealth => {
  const { read, write, verify } = report.scsi_error_counter_log ?? {};
  const uncorrected = [read, write, verify].flatMap((counters) => counters?.total_uncorrected_errors ?? []);
  return {
    grownDefects: report.scsi_grown_defect_list ?? null,
    uncorrectedErrors: uncorrected.length === 0 ? null : uncorrected.reduce((sum, count) => sum + count, 0),
  };
};

const isLogRead = (
  deviceClass: SmartDeviceClass,
  attributeCount: number,
  nvme: NvmeHealth | null,
  scsi: ScsiHealth | null,
): boolean => {
  if (deviceClass === 'nvme') return nvme !== null;
  if (deviceClass === 'scsi') return scsi !== null && (scsi.grownDefects !== null || scsi.uncorrectedErrors !== null);
  return attributeCount > 0;
};
