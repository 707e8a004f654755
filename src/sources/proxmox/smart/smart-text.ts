/** Figures in what smartctl prints of NVMe and SAS disks: `Name:   12,345 [..]`. Pure. */
import type { NvmeHealth, ScsiHealth } from '../../../../signals/reading.ts';

/** Lower-case name to what stands after the colon. smartctl's output is English whatever the system's language. */
const fieldsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([^:]{1,80}):\s+(.{1,200})$/.exec(line.trim()) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()] as const];
    }),
  );

/** `5,584,952 [2.85 TB]`, `100%`, `0x00`, `41 Celsius`; separators of thousands vary by locale. */
const numberIn = (value: string | undefined): number | null => {
  if (value === undefined) return null;
  if (/^0x[0-9a-f]+/i.test(value)) return Number.parseInt(value, 16);
  const [digits] = /^\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+|^\d+/.exec(value) ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(/\D/g, ''));
};

export interface NvmeText {
  readonly health: NvmeHealth | null;
  readonly wearUsedPercent: number | null;
  readonly celsius: number | null;
  readonly powerOnHours: number | null;
}

export const isNvmeText = (text: string): boolean => /nvme log/i.test(text) || /^critical warning:/im.test(text);

export const readNvmeText = (text: string): NvmeText => {
  const fields = fieldsOf(text);
  const warning = numberIn(fields.get('critical warning'));
  const spare = numberIn(fields.get('available spare'));
  const spareThreshold = numberIn(fields.get('available spare threshold'));
  const mediaErrors = numberIn(fields.get('media and data integrity errors'));
  const isWhole = warning !== null && spare !== null && spareThreshold !== null && mediaErrors !== null;
  return {
    health: isWhole
      ? {
          criticalWarning: warning,
          availableSparePercent: spare,
          availableSpareThresholdPercent: spareThreshold,
          mediaErrors,
        }
      : null,
    wearUsedPercent: numberIn(fields.get('percentage used')),
    celsius: numberIn(fields.get('temperature')),
    powerOnHours: numberIn(fields.get('power on hours')),
  };
};

export interface ScsiText {
  readonly health: ScsiHealth;
  readonly wearUsedPercent: number | null;
  readonly celsius: number | null;
}

/** The error counter log is not asked for by Proxmox: grown defects are all that its text has. */
export const readScsiText = (text: string): ScsiText => {
  const fields = fieldsOf(text);
  return {
    health: { grownDefects: numberIn(fields.get('elements in grown defect list')), uncorrectedErrors: null },
    wearUsedPercent: numberIn(fields.get('percentage used endurance indicator')),
    celsius: numberIn(fields.get('current drive temperature')),
  };
};
