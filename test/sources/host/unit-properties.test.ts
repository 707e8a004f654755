import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUnits } from '../../../src/sources/host/unit-properties.ts';

const TEXT = `Result=exit-code
NRestarts=7
Id=web.service
LoadState=loaded
ActiveState=activating
SubState=auto-restart
UnitFileState=enabled
StateChangeTimestampMonotonic=123456789

Result=success
Id=srv.mount
LoadState=loaded
ActiveState=active
SubState=mounted
UnitFileState=generated
StateChangeTimestampMonotonic=0
`;

test('each block is a unit, in whatever order its properties come', () => {
  expect(parseUnits(TEXT)).toEqual({
    units: [
      {
        name: 'web.service',
        isLoaded: true,
        activeState: 'activating',
        subState: 'auto-restart',
        result: 'exit-code',
        restartCount: 7,
        unitFileState: 'enabled',
        changedAtUs: 123_456_789,
      },
      {
        name: 'srv.mount',
        isLoaded: true,
        activeState: 'active',
        subState: 'mounted',
        result: 'success',
        restartCount: null,
        unitFileState: 'generated',
        changedAtUs: null,
      },
    ],
    malformed: 0,
  });
});

test('an alias does not make two units of one', () => {
  expect(parseUnits(`${TEXT}\n${TEXT}`).units).toHaveLength(2);
});

test('blocks that are none are counted', () => {
  expect(parseUnits('Id=x.service\n\nId=y.service\nActiveState=dreaming\n\nnonsense')).toEqual({
    units: [],
    malformed: 3,
  });
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => parseUnits(text).units.length === 0));
});
