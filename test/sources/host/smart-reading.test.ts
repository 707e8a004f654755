import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smartReading } from '../../../src/sources/host/smart-reading.ts';
import { type SmartReport, smartReportSchema } from '../../../src/sources/host/smart-schema.ts';

const report = (more: Readonly<Record<string, unknown>>): SmartReport =>
  smartReportSchema.parse({ json_format_version: [1, 0], smartctl: { exit_status: 0 }, ...more });
const device = (protocol: string) => ({ device: { name: '/dev/sda', type: 'x', protocol } });
const attribute = (id: number, name: string, value: number) => ({ id, name, value, raw: { value: 0, string: '0' } });

describe('the class of a disk', () => {
  test.each([
    ['NVMe', {}, false, 'nvme'],
    ['SCSI', {}, true, 'scsi'],
    ['ATA', { rotation_rate: 7_200 }, false, 'ata-hdd'],
    ['ATA', { rotation_rate: 0 }, true, 'ata-ssd'],
    ['ATA', {}, true, 'ata-hdd'],
    ['ATA', {}, false, 'ata-ssd'],
  ])('%s with %j, rotating by the kernel: %s, is %s', (protocol, more, rotational, deviceClass) => {
    expect(smartReading(report({ ...device(protocol), ...more }), rotational).deviceClass).toBe(deviceClass);
  });
});

describe('wear that is used', () => {
  const ssd = { ...device('ATA'), rotation_rate: 0 };
  const statistics = (value: number, valid: boolean) => ({
    ata_device_statistics: {
      pages: [{ number: 1 }, { number: 7, table: [{ offset: 8, name: 'Percentage Used', value, flags: { valid } }] }],
    },
  });
  test.each([
    ['smartctl itself', { ...ssd, endurance_used: { current_percent: 12 } }, 12],
    ['statistics of the device', { ...ssd, ...statistics(31, true) }, 31],
    ['statistics that are not valid', { ...ssd, ...statistics(31, false) }, null],
    [
      'an attribute of life left',
      { ...ssd, ata_smart_attributes: { table: [attribute(233, 'Media_Wearout_Indicator', 83)] } },
      17,
    ],
    [
      'an attribute that counts otherwise',
      { ...ssd, ata_smart_attributes: { table: [attribute(177, 'Wear_Leveling_Count', 200)] } },
      null,
    ],
    [
      'the NVMe log',
      {
        ...device('NVMe'),
        nvme_smart_health_information_log: {
          critical_warning: 0,
          available_spare: 100,
          available_spare_threshold: 10,
          media_errors: 0,
          percentage_used: 104,
        },
      },
      104,
    ],
    ['a SAS SSD', { ...device('SCSI'), scsi_percentage_used_endurance_indicator: 3 }, 3],
    [
      'a turning disk',
      {
        ...device('ATA'),
        rotation_rate: 5_400,
        ata_smart_attributes: { table: [attribute(233, 'Media_Wearout_Indicator', 83)] },
      },
      null,
    ],
  ])('by %s', (_, more, percent) => {
    expect(smartReading(report(more), false).wearUsedPercent).toBe(percent);
  });
});

test('a health log of NVMe that lacks its figures is no log', () => {
  const reading = smartReading(
    report({ ...device('NVMe'), nvme_smart_health_information_log: { temperature: 30 } }),
    false,
  );
  expect(reading).toMatchObject({ nvme: null, logRead: false, healthPassed: null });
});

test('errors that a SAS disk could not correct are summed over reads, writes and verifications', () => {
  const log = { read: { total_uncorrected_errors: 2 }, write: { total_uncorrected_errors: 1 } };
  const reading = smartReading(report({ ...device('SCSI'), scsi_error_counter_log: log }), true);
  expect(reading).toMatchObject({ logRead: true, scsi: { grownDefects: null, uncorrectedErrors: 3 } });
});

test('what a disk does not say is null, never good', () => {
  expect(smartReading(report(device('ATA')), true)).toEqual({
    kind: 'smart',
    deviceClass: 'ata-hdd',
    healthPassed: null,
    logRead: false,
    attributes: [],
    nvme: null,
    scsi: null,
    wearUsedPercent: null,
    powerOnHours: null,
    selfTests: [],
  });
});

test('fields of odd shapes are as good as absent', () => {
  const keys = Object.keys(smartReportSchema.shape).filter(
    (key) => key !== 'json_format_version' && key !== 'smartctl',
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), (more) => {
      expect(smartReading(report(more), true).kind).toBe('smart');
    }),
  );
});
