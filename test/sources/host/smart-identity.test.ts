import { expect, test } from 'vitest';
import { smartIdentity } from '../../../src/sources/host/smart-identity.ts';
import { smartReportSchema } from '../../../src/sources/host/smart-schema.ts';

test.each([
  [
    'ATA',
    { model_name: 'WDC X', serial_number: 'WD-1', wwn: { naa: 5, oui: 5_358, id: 0x2b1c2d3e4 } },
    { model: 'WDC X', serial: 'WD-1', wwn: '50014ee2b1c2d3e4' },
  ],
  [
    'SCSI',
    { model_name: 'SEAGATE ST8', scsi_product: 'ST8', serial_number: 'Z', logical_unit_id: '0x5000c500a1b2c3d4' },
    { model: 'ST8', serial: 'Z', wwn: '0x5000c500a1b2c3d4' },
  ],
  [
    'NVMe',
    {
      model_name: 'Samsung',
      serial_number: 'S',
      nvme_namespaces: [{ id: 1, eui64: { oui: 9_528, ext_id: 0xb111b2c3d4 } }],
    },
    { model: 'Samsung', serial: 'S', wwn: '002538b111b2c3d4' },
  ],
  ['nothing', {}, { model: null, serial: null, wwn: null }],
])('of %s', (_, more, identity) => {
  expect(smartIdentity(smartReportSchema.parse({ json_format_version: [1, 0], smartctl: {}, ...more }))).toEqual(
    identity,
  );
});
