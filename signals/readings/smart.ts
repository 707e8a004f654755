/** What one disk says of its own health. */

export type SmartDeviceClass = 'ata-hdd' | 'ata-ssd' | 'nvme' | 'scsi';

/** One ATA attribute as smartctl decodes it. */
export interface SmartAttribute {
  readonly id: number;
  readonly name: string;
  /** Normalised value, its worst and its threshold; null where the drive reports none. */
  readonly value: number | null;
  readonly worst: number | null;
  readonly threshold: number | null;
  readonly prefail: boolean;
  /** The counter, unpacked: from smartctl's formatted string where that differs from the raw 48 bits. */
  readonly count: number;
  /** smartctl's own `when_failed`. */
  readonly whenFailed: 'never' | 'past' | 'now';
}

/** What one disk says of its own health. `null` is "the disk, or its bridge, doesn't say"; never "good". */
export interface SmartReading {
  readonly kind: 'smart';
  readonly deviceClass: SmartDeviceClass;
  /** The explicit overall verdict. */
  readonly healthPassed: boolean | null;
  /** Whether the attribute table (ATA), health log (NVMe) or error counters (SCSI) could be read. */
  readonly logRead: boolean;
  readonly attributes: readonly SmartAttribute[];
  readonly nvme: NvmeHealth | null;
  readonly scsi: ScsiHealth | null;
  /** Share of the rated endurance that is used up; may pass 100. */
  readonly wearUsedPercent: number | null;
  readonly powerOnHours: number | null;
  /** Newest first. */
  readonly selfTests: readonly SelfTest[];
}

export interface NvmeHealth {
  /** Bit field of the NVMe specification's SMART log, byte 0. */
  readonly criticalWarning: number;
  readonly availableSparePercent: number;
  readonly availableSpareThresholdPercent: number;
  readonly mediaErrors: number;
}

export interface ScsiHealth {
  readonly grownDefects: number | null;
  readonly uncorrectedErrors: number | null;
}

export interface SelfTest {
  readonly kind: 'short' | 'extended' | 'other';
  readonly passed: boolean | null;
  readonly atPowerOnHours: number | null;
}
