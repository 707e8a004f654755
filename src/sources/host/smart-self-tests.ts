/** Results of self-tests, newest first, of the three families of disks. */
import { z } from 'zod';
import type { SelfTest } from '../../../signals/reading.ts';
import type { SmartReport } from './smart-schema.ts';

/** ATA keeps 21 in its log, NVMe and SCSI 20. */
const TESTS = 21;
const SCSI_TESTS = 20;

const code = z.object({ value: z.number() });
const hours = z.number().optional();
const ataTest = z.object({
  type: code,
  status: z.object({ value: z.number(), passed: z.boolean().optional() }),
  lifetime_hours: hours,
});
const nvmeTest = z.object({ self_test_code: code, self_test_result: code, power_on_hours: hours });
const scsiTest = z.object({ code, result: code, power_on_time: z.object({ hours }).optional() });

export const selfTests = (report: SmartReport): readonly SelfTest[] => {
  const ata = report.ata_smart_self_test_log;
  const tests = [
    ...(ata?.extended?.table ?? ata?.standard?.table ?? []).map(fromAta),
    ...(report.nvme_self_test_log?.table ?? []).map(fromNvme),
    ...Array.from({ length: SCSI_TESTS }, (_, index) => fromScsi(report[`scsi_self_test_${index}`])),
  ];
  return tests.filter((test) => test !== null).slice(0, TESTS);
};

const KINDS = { 1: 'short', 2: 'extended' } as const;
const kindOf = (value: number): SelfTest['kind'] => (value === 1 || value === 2 ? KINDS[value] : 'other');

/** The high bit of the type is the captive mode. While a test runs, smartctl says "passed" of it. */
const fromAta = (entry: unknown): SelfTest | null => {
  const test = ataTest.safeParse(entry).data;
  if (test === undefined) return null;
  const isRunning = test.status.value >> 4 === 0xf;
  return {
    kind: kindOf(test.type.value & 0x7f),
    passed: isRunning ? null : (test.status.passed ?? null),
    atPowerOnHours: test.lifetime_hours ?? null,
  };
};

/** 6 and 7: it ran to its end and a segment failed. The rest did not run to an end (NVMe 1.4, figure 99). */
const fromNvme = (entry: unknown): SelfTest | null => {
  const test = nvmeTest.safeParse(entry).data;
  if (test === undefined) return null;
  const result = test.self_test_result.value;
  return {
    kind: kindOf(test.self_test_code.value),
    passed: result === 0 ? true : result === 6 || result === 7 ? false : null,
    atPowerOnHours: test.power_on_hours ?? null,
  };
};

/** 1 and 2 in the background, 5 and 6 in the foreground; results 4 to 7 are failed segments (SPC-4, 7.3.15). */
const fromScsi = (entry: unknown): SelfTest | null => {
  const test = scsiTest.safeParse(entry).data;
  if (test === undefined) return null;
  const result = test.result.value;
  return {
    kind: kindOf(test.code.value >= 5 ? test.code.value - 4 : test.code.value),
    passed: result === 0 ? true : result >= 4 && result <= 7 ? false : null,
    atPowerOnHours: test.power_on_time?.hours ?? null,
  };
};
