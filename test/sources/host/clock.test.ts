import { describe, expect, test } from 'vitest';
import { collectClock, parseChronyTracking } from '../../../src/sources/host/clock.ts';
import { type CommandAnswers, exited, hostContext } from '../../support/host-context.ts';

const tracking = (time: string, offset: string, leap: string) =>
  `C0000214,192.0.2.20,3,${time},${offset},-0.000003100,0.000041000,-11.234,-0.001,0.021,0.020000000,0.005000000,64.4,${leap}\n`;

describe('chrony', () => {
  test('tells the offset, and the bound within which the true time lies', () => {
    expect(parseChronyTracking(tracking('1762851300.1', '-0.250000000', 'Normal'))).toEqual({
      kind: 'clock',
      synchronised: true,
      offsetMs: -250,
      estimatedErrorMs: 265,
      resolutionMs: 1,
    });
  });

  test('that never had a reference knows no offset', () => {
    expect(parseChronyTracking(tracking('0.000000000', '0.000000000', 'Not synchronised'))).toMatchObject({
      synchronised: false,
      offsetMs: null,
      estimatedErrorMs: 16_000,
    });
  });

  test('that serves its own clock knows nothing of the true time', () => {
    const local = tracking('1796104802.6', '0.000000000', 'Normal').replace('C0000214', '7F7F0101');
    expect(parseChronyTracking(local)).toMatchObject({ synchronised: null, offsetMs: null, estimatedErrorMs: null });
  });

  test.each(['Insert second', 'Delete second'])('that announces a leap second (%s) is synchronised', (leap) => {
    expect(parseChronyTracking(tracking('1.0', '0', leap))).toMatchObject({ synchronised: true });
  });

  test.each(['', '506 Cannot talk to daemon', 'a,b,c', tracking('x', 'y', 'Normal')])('%j is no tracking', (text) => {
    expect(parseChronyTracking(text)).toBeNull();
  });
});

const systemd = { directories: ['/run/systemd/system'] };
const survey = (answers: CommandAnswers, machine = systemd) => collectClock(hostContext(machine, answers));

test.each([
  ['yes', { synchronised: true, estimatedErrorMs: null, offsetMs: null }],
  ['no', { synchronised: false, estimatedErrorMs: 16_000, offsetMs: null }],
])('without chrony the kernel’s word counts: %s', async (said, reading) => {
  const answers: CommandAnswers = [
    [/^chronyc/, exited('506 Cannot talk to daemon\n', 1)],
    [/^timedatectl/, exited(`NTPSynchronized=${said}\n`)],
  ];
  expect((await survey(answers)).readings).toMatchObject([reading]);
});

test.each<[string, CommandAnswers, { directories: string[] }, string]>([
  ['there is no systemd either', [], { directories: [] }, 'not_supported'],
  ['timedatectl is missing', [], systemd, 'not_installed'],
  [
    'timedated does not answer',
    [[/^timedatectl/, exited('', 1, 'Failed to connect to bus: Host is down')]],
    systemd,
    'failed',
  ],
  ['timedatectl says something else', [[/^timedatectl/, exited('Timezone=UTC\n')]], systemd, 'not_supported'],
])('where %s, it is a gap', async (_, answers, machine, code) => {
  expect(await survey(answers, machine)).toMatchObject({
    readings: [],
    gaps: [{ ref: 'host', reads: ['clock'], code }],
  });
});
