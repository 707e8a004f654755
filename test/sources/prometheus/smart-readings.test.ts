import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/sources/prometheus/disks.ts';
import { smartAttributes, smartReading, unpackCounter } from '../../../src/sources/prometheus/smart-readings.ts';

const disk = (protocol: string, diskClass: Disk['diskClass'] = null): Disk => ({
  ref: 'd',
  hostRef: 'h',
  device: 'sda',
  smart: { protocol },
  diskClass,
});

const attribute = (
  id: number,
  parts: Readonly<Record<string, number>>,
  flags = 'prefailure,updated_online',
  name = 'Some_Name',
) =>
  Object.entries(parts).map(([type, value]) => ({
    labels: { attribute_id: String(id), attribute_name: name, attribute_flags_long: flags, attribute_value_type: type },
    points: [{ atMs: 0, value }],
  }));

describe('a counter that shares its raw value with others', () => {
  it.each([
    ['reallocated sectors', 5, 24, 24],
    ['reallocated sectors with events above them', 5, 24 + 7 * 2 ** 16, 24],
    ['Seagate command timeouts, three counters in one', 188, 3 + 3 * 2 ** 16 + 3 * 2 ** 32, 3],
    ['power-on hours with a fraction', 9, 26_690 + 5 * 2 ** 24, 26_690],
    ['a temperature with its extremes', 194, 34 + 51 * 2 ** 32, 34],
    ['CRC errors', 199, 70_000, 70_000],
    ['one that a vendor packs above 32 bits', 187, 2 + 9 * 2 ** 32, 2],
  ])('%s', (_title, id, raw, count) => {
    expect(unpackCounter(id, raw)).toBe(count);
  });
});

describe('an attribute against its threshold', () => {
  it.each([
    ['above it', { raw: 0, value: 100, worst: 100, thresh: 10 }, 'never'],
    ['at it', { raw: 0, value: 10, worst: 10, thresh: 10 }, 'now'],
    ['below it once', { raw: 0, value: 50, worst: 5, thresh: 10 }, 'past'],
    ['without one', { raw: 0, value: 1, worst: 1, thresh: 0 }, 'never'],
    ['with a value that is none', { raw: 0, value: 0, worst: 0, thresh: 10 }, 'never'],
    ['of which nothing but the counter was asked', { raw: 3 }, 'never'],
  ])('%s', (_title, parts, whenFailed) => {
    expect(smartAttributes(attribute(1, parts))).toEqual([
      expect.objectContaining({ id: 1, prefail: true, whenFailed }),
    ]);
  });

  it('is left out without its counter, or without a number of its own', () => {
    expect(smartAttributes([...attribute(1, { value: 100 }), ...attribute(Number.NaN, { raw: 1 })])).toEqual([]);
  });
});

describe('a disk', () => {
  it('whose NVMe log could not be read has none, though the exporter writes zeros', () => {
    const zeros = {
      critical_warning: 0,
      available_spare: 0,
      available_spare_threshold: 0,
      media_errors: 0,
      percentage_used: 0,
    };
    expect(smartReading(disk('NVMe'), zeros, [])).toMatchObject({
      deviceClass: 'nvme',
      nvme: null,
      logRead: false,
      wearUsedPercent: null,
      healthPassed: null,
    });
  });

  it('tells its wear by statistics before attributes, and only a solid-state disk by those', () => {
    const left = smartAttributes(attribute(231, { raw: 0, value: 88 }, '', 'SSD_Life_Left'));
    expect(smartReading(disk('ATA', 'sata-ssd'), {}, left)).toMatchObject({
      deviceClass: 'ata-ssd',
      wearUsedPercent: 12,
    });
    expect(smartReading(disk('ATA', 'sata-ssd'), { endurance_used: 3 }, left)).toMatchObject({ wearUsedPercent: 3 });
    expect(smartReading(disk('ATA', 'hdd'), {}, left)).toMatchObject({ deviceClass: 'ata-hdd', wearUsedPercent: null });
  });

  it('with attributes that are well has its table read though none of them is told', () => {
    expect(smartReading(disk('ATA'), { attribute_count: 18, smart_status: 1 }, [])).toMatchObject({
      logRead: true,
      healthPassed: true,
    });
  });

  it('with failures in its self-test log has a failed test', () => {
    expect(smartReading(disk('ATA'), { smartctl_exit_status: 128 }, []).selfTests).toEqual([
      { kind: 'other', passed: false, atPowerOnHours: null },
    ]);
    expect(smartReading(disk('ATA'), { smartctl_exit_status: 64 }, []).selfTests).toEqual([]);
  });

  it('behind SCSI is read by its error counters', () => {
    expect(smartReading(disk('SCSI'), { scsi_grown_defect_list: 0 }, [])).toMatchObject({
      deviceClass: 'scsi',
      logRead: true,
      scsi: { grownDefects: 0, uncorrectedErrors: null },
    });
    expect(smartReading(disk('SCSI'), {}, [])).toMatchObject({ logRead: false });
  });
});
