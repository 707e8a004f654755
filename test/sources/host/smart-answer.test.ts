import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../../src/runtime/command.ts';
import { smartAnswer } from '../../../src/sources/host/smart-answer.ts';
import { exited } from '../../support/host-context.ts';

const access = { path: '/dev/sda', remedy: 'do this' };
const json = (more: Readonly<Record<string, unknown>>, code = 0, messages: readonly string[] = []) =>
  exited(
    JSON.stringify({
      json_format_version: [1, 0],
      smartctl: { exit_status: code, messages: messages.map((string) => ({ string, severity: 'error' })) },
      ...more,
    }),
    code,
  );

describe('there is no reading where', () => {
  test.each<[string, string, CommandResult]>([
    ['smartctl is missing', 'not_installed', { kind: 'not_found' }],
    ['smartctl hangs', 'timed_out', { kind: 'timed_out', timeoutMs: 1_000, stderr: '' }],
    ['earlier ones hang in the kernel', 'timed_out', { kind: 'stuck', count: 2 }],
    ['the disk sleeps', 'asleep', json({}, 3, ['Device is in STANDBY mode, exit(3)'])],
    ['the disk sleeps, by an older word', 'asleep', json({}, 2, ['Device is in SLEEP mode, exit(2)'])],
    ['the system put it to sleep', 'asleep', json({}, 3, ['Device is in STANDBY (OS) mode, exit(3)'])],
    ['a SAS disk sleeps', 'asleep', json({}, 3, ['Device is in STANDBY BY TIMER mode, exit(3)'])],
    [
      'the device may not be opened',
      'not_permitted',
      json({}, 2, ['Smartctl open device: /dev/sda [SAT] failed: Permission denied']),
    ],
    [
      'commands may not be sent',
      'not_permitted',
      json({}, 2, ['Smartctl open device: /dev/sda failed: Operation not permitted']),
    ],
    ['/dev is private', 'not_permitted', json({}, 2, ['Smartctl open device: /dev/sda [SAT] failed: No such device'])],
    ['the bridge is unknown', 'not_supported', json({}, 1, ['/dev/sda: Unknown USB bridge [0x1058:0x25a2 (0x4009)]'])],
    ['the type is unknown', 'not_supported', json({}, 1, ['/dev/sda: Unable to detect device type'])],
    ['there is no SMART', 'not_supported', json({ smart_support: { available: false } }, 4)],
    ['SMART is off', 'not_supported', json({ smart_support: { available: true, enabled: false } }, 4)],
    [
      'the format is not known',
      'not_supported',
      exited('{"json_format_version":[2,0],"smartctl":{},"smart_status":{"passed":true}}'),
    ],
    ['smartctl is too old for JSON', 'not_supported', exited('=======> UNRECOGNIZED OPTION: json=c\n', 1)],
    ['it printed something else', 'malformed', exited('<html>')],
    ['its output was cut off', 'malformed', exited('{"json_format_version":[1,0],"smartctl":{"exit_st')],
    ['it printed nothing', 'malformed', exited('', 0)],
    ['it says neither health nor log', 'failed', json({ model_name: 'X' }, 4, ['Read SMART Data failed: scsi error'])],
  ])('%s: %s', (_, code, result) => {
    expect(smartAnswer(result, access)).toMatchObject({ code });
  });
});

test('SMART that is off names the remedy', () => {
  const answer = smartAnswer(json({ smart_support: { available: true, enabled: false } }), access);
  expect(answer).toMatchObject({ reason: 'SMART is switched off on /dev/sda: `smartctl -s on /dev/sda`' });
});

test.each([4, 8, 16, 32, 64, 128, 4 + 64, 8 + 16 + 128])('a status of %i with a verdict is a report', (code) => {
  expect(smartAnswer(json({ smart_status: { passed: false } }, code), access)).toMatchObject({
    smart_status: { passed: false },
  });
});

test('a log without a verdict is a report as well', () => {
  expect(smartAnswer(json({ scsi_grown_defect_list: 0 }), access)).toMatchObject({ scsi_grown_defect_list: 0 });
});

test('whatever it prints, the answer is a report or a reason', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(255), (value, code) => {
      const answer = smartAnswer(exited(JSON.stringify(value), code), access);
      expect('code' in answer || 'smartctl' in answer).toBe(true);
    }),
  );
});
