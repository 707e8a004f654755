/** Share of the rated endurance that is used up, wherever a disk says it. */
import { z } from 'zod';
import type { SmartAttribute } from '../../../signals/reading.ts';
import type { SmartReport } from './smart-schema.ts';

/** ATA device statistics (ACS-4): page 7, Percentage Used Endurance Indicator. */
const ENDURANCE_PAGE = 7;
const ENDURANCE_OFFSET = 8;
const statistic = z.object({
  offset: z.number(),
  value: z.number(),
  flags: z.object({ valid: z.boolean() }).optional(),
});

/** Attributes whose normalised value is the life that is left, by smartmontools' names for them. */
const LIFE_LEFT =
  /^(?:Media_Wearout_Indicator|Wear_Leveling_Count|SSD_Life_Left|Percent_Lifetime_Remain|Remaining_Lifetime_Perc|Drive_Life_Remaining%?|Remain(?:ing)?_Life(?:time)?)/;

export const wearUsedPercent = (
  report: SmartReport,
  attributes: readonly SmartAttribute[],
  isSsd: boolean,
): number | null => {
  const told =
    report.endurance_used?.current_percent ?? report.scsi_percentage_used_endurance_indicator ?? fromStatistics(report);
  if (told !== undefined) return told;
  const left = isSsd ? attributes.find(({ name, value }) => LIFE_LEFT.test(name) && value !== null) : undefined;
  // Values above 100 are of disks that count from another number.
  return left === undefined || left.value === null || left.value > 100 ? null : 100 - left.value;
};

const fromStatistics = (report: SmartReport): number | undefined => {
  const page = report.ata_device_statistics?.pages.find(({ number }) => number === ENDURANCE_PAGE);
  const entries = (page?.table ?? []).map((entry) => statistic.safeParse(entry).data);
  const entry = entries.find((candidate) => candidate?.offset === ENDURANCE_OFFSET);
  return entry?.flags?.valid === false ? undefined : entry?.value;
};
