/** The bits of an NVMe drive's critical warning (NVMe base specification, SMART / Health Information, byte 0). */
import type { NvmeHealth } from '../reading.ts';

const TEMPERATURE = 1 << 1;

const BITS: readonly (readonly [number, string])[] = [
  [1 << 0, 'the spare blocks are nearly used up'],
  [1 << 2, 'reliability is degraded by media or internal errors'],
  [1 << 3, 'the drive has turned read-only'],
  [1 << 4, 'the backup of its volatile memory has failed'],
  [1 << 5, 'its persistent memory region has turned read-only or unreliable'],
];

export const isTooHot = (nvme: NvmeHealth | null): boolean =>
  nvme !== null && (nvme.criticalWarning & TEMPERATURE) !== 0;

/** Everything but the temperature, in words; bits that no specification names yet are told as such. */
export const nvmeWarnings = ({ criticalWarning }: NvmeHealth): readonly string[] => {
  const known = BITS.filter(([bit]) => (criticalWarning & bit) !== 0).map(([, words]) => words);
  const rest = BITS.reduce((left, [bit]) => left & ~bit, criticalWarning & ~TEMPERATURE);
  return rest === 0 ? known : [...known, `warning bits 0x${rest.toString(16)}`];
};
