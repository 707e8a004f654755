import { expect, test } from 'vitest';
import { smartReportSchema } from '../../../src/sources/host/smart-schema.ts';
import { selfTests } from '../../../src/sources/host/smart-self-tests.ts';

const report = (more: Readonly<Record<string, unknown>>) =>
  smartReportSchema.parse({ json_format_version: [1, 0], smartctl: { exit_status: 0 }, ...more });
const ata = (type: number, status: number, passed?: boolean) => ({
  type: { value: type },
  status: { value: status, ...(passed === undefined ? {} : { passed }) },
  lifetime_hours: 100,
});

test.each([
  ['a long one that passed', ata(2, 0, true), { kind: 'extended', passed: true }],
  ['a captive short one that failed', ata(0x81, 0x70, false), { kind: 'short', passed: false }],
  ['one that the host aborted', ata(1, 0x10), { passed: null }],
  ['one that is running, of which smartctl says passed', ata(2, 0xf4, true), { passed: null }],
  ['a selective one', ata(4, 0, true), { kind: 'other', passed: true }],
])('of ATA: %s', (_, entry, expected) => {
  const log = { extended: { table: [entry] } };
  expect(selfTests(report({ ata_smart_self_test_log: log }))).toMatchObject([{ atPowerOnHours: 100, ...expected }]);
});

test('the standard log stands in for an extended one, and an empty one has no tests', () => {
  const standard = { table: [ata(1, 0, true)] };
  expect(selfTests(report({ ata_smart_self_test_log: { standard } }))).toHaveLength(1);
  expect(selfTests(report({ ata_smart_self_test_log: { extended: { count: 0 } } }))).toEqual([]);
});

test.each([
  [0, true],
  [1, null],
  [5, null],
  [6, false],
  [7, false],
  [9, null],
])('of NVMe: result %i is %s', (result, passed) => {
  const table = [{ self_test_code: { value: 2 }, self_test_result: { value: result }, power_on_hours: 7 }];
  expect(selfTests(report({ nvme_self_test_log: { table } }))).toEqual([
    { kind: 'extended', passed, atPowerOnHours: 7 },
  ]);
});

test.each([
  [1, 0, 'short', true],
  [6, 4, 'extended', false],
  [2, 3, 'extended', null],
  [2, 15, 'extended', null],
])('of SCSI: code %i with result %i is %s and %s', (code, result, kind, passed) => {
  const entry = { code: { value: code }, result: { value: result }, power_on_time: { hours: 9 } };
  expect(selfTests(report({ scsi_self_test_0: entry }))).toEqual([{ kind, passed, atPowerOnHours: 9 }]);
});
