import { expect, it } from 'vitest';
import { smartAnswer } from '../../../../src/sources/proxmox/smart/smart-answer.ts';
import { diskHealth, type ListedDisk } from '../../../../src/sources/proxmox/smart/smart-reading.ts';
import { ataSmart, NVME_TEXT } from '../../../support/proxmox-ve-rows.ts';

const HDD: ListedDisk = { type: 'hdd', lifeLeftPercent: null };
const health = (answer: unknown, disk: ListedDisk = HDD) => diskHealth(smartAnswer.parse(answer), disk);

it('reads a table of ATA attributes, with packed values unpacked', () => {
  const read = health(ataSmart());
  expect(read?.reading).toMatchObject({
    deviceClass: 'ata-hdd',
    healthPassed: true,
    logRead: true,
    powerOnHours: 21_123,
  });
  const counts = Object.fromEntries(read?.reading.attributes.map(({ id, count }) => [id, count]) ?? []);
  expect(counts).toEqual({ 5: 0, 9: 21_123, 188: 2, 194: 36, 197: 0 });
  expect(read?.reading.attributes[0]).toMatchObject({ prefail: true, threshold: 10, whenFailed: 'never' });
  expect(read?.celsius).toBe(36);
});

it('hears a disk that says it fails, in any of its words', () => {
  for (const word of ['FAILED!', 'FAILURE PREDICTION THRESHOLD EXCEEDED: ascq=0x73'])
    expect(health({ health: word, type: 'text', text: 'x' })?.reading.healthPassed).toBe(false);
  expect(health({ health: 'UNKNOWN', type: 'ata', attributes: [] })?.reading).toMatchObject({
    healthPassed: null,
    logRead: false,
  });
});

it('takes a disk whose SMART is off for one that says nothing', () => {
  expect(health({ health: 'SMART Disabled' })).toBeNull();
  expect(health({ type: null })).toBeNull();
});

it('reads the health log of NVMe from its text', () => {
  const read = health(
    { health: 'PASSED', type: 'text', text: NVME_TEXT, wearout: 93 },
    { type: 'nvme', lifeLeftPercent: 93 },
  );
  expect(read).toMatchObject({
    celsius: 32,
    reading: {
      deviceClass: 'nvme',
      logRead: true,
      nvme: { criticalWarning: 0, availableSparePercent: 100, availableSpareThresholdPercent: 10, mediaErrors: 0 },
      wearUsedPercent: 7,
      powerOnHours: 1_189,
    },
  });
});

it('takes half a health log for none', () => {
  const cut = NVME_TEXT.slice(0, NVME_TEXT.indexOf('Available Spare Threshold'));
  expect(
    health({ health: 'PASSED', type: 'text', text: cut }, { type: 'nvme', lifeLeftPercent: null })?.reading.logRead,
  ).toBe(false);
});

it('reads grown defects of SAS disks', () => {
  const text =
    '\nPercentage used endurance indicator: 12%\nCurrent Drive Temperature:     20 C\nDrive Trip Temperature:        70 C\n\nElements in grown defect list: 3\n';
  expect(health({ health: 'OK', type: 'text', text }, { type: 'ssd', lifeLeftPercent: null })).toMatchObject({
    celsius: 20,
    reading: { deviceClass: 'scsi', healthPassed: true, scsi: { grownDefects: 3 }, wearUsedPercent: 12 },
  });
});

it('counts wear as what is used, where Proxmox counts what is left', () => {
  expect(health(ataSmart(), { type: 'ssd', lifeLeftPercent: 88 })?.reading.wearUsedPercent).toBe(12);
  expect(health(ataSmart(), { type: 'ssd', lifeLeftPercent: -5 })?.reading.wearUsedPercent).toBe(105);
  expect(health(ataSmart(), HDD)?.reading.wearUsedPercent).toBeNull();
});
