import { expect, test } from 'vitest';
import { collectUnits } from '../../../src/sources/host/units.ts';
import { type CommandAnswers, exited, hostContext, NOW_MS } from '../../support/host-context.ts';
import { createMemoryState } from '../../support/memory-state.ts';

const block = (name: string, active: string, sub: string, state = 'static', changedUs = 863_000_000_000) =>
  `Result=exit-code\nNRestarts=3\nId=${name}\nLoadState=loaded\nActiveState=${active}\nSubState=${sub}\nUnitFileState=${state}\nStateChangeTimestampMonotonic=${changedUs}\n`;
const booted = { directories: ['/run/systemd/system'] };

const survey = (answers: CommandAnswers, more: Parameters<typeof hostContext>[2] = {}, root = '/') =>
  collectUnits(hostContext({ ...booted, root }, answers, more));

test('where systemd does not run the machine there is nothing to expect', async () => {
  const host = hostContext({});
  expect(await collectUnits(host)).toMatchObject({ claims: [], gaps: [] });
  expect(host.asked).toEqual([]);
});

test('the time of a change comes from the time since boot', async () => {
  const { readings } = await survey([[/^systemctl/, exited(block('backup.service', 'failed', 'failed'))]]);
  expect(readings).toMatchObject([
    {
      ref: 'service:backup.service',
      activeState: 'failed',
      result: 'exit-code',
      stateSinceMs: NOW_MS - 1_000_000,
      restartCount: 3,
    },
  ]);
});

test('a unit that recovered is still told', async () => {
  const state = createMemoryState();
  await survey([[/^systemctl/, exited(block('backup.service', 'failed', 'failed'))]], { state });
  const later = await survey([[/^systemctl/, exited(block('backup.service', 'inactive', 'dead'))]], { state });
  expect(later.readings).toMatchObject([{ activeState: 'inactive' }]);
  expect(later.claims).toMatchObject([{ name: 'backup.service', status: 'stopped' }]);
});

test('units past the limit are cut off, and the list is not called complete', async () => {
  const many = Array.from({ length: 450 }, (_, index) =>
    block(`s${index}.service`, 'active', 'running', 'enabled'),
  ).join('\n');
  const part = await survey([[/^systemctl/, exited(`${many}\n${block('z.service', 'failed', 'failed')}`)]]);
  expect(part.claims).toHaveLength(400);
  expect(part.claims[0]?.name).toBe('z.service');
  expect(part.gaps).toMatchObject([{ ref: 'host', reads: ['unit'], code: 'cut_short' }]);
  expect(part.listed).toEqual([]);
});

test.each<[string, CommandAnswers]>([
  ['not_installed', []],
  ['empty', [[/^systemctl/, exited('')]]],
  ['failed', [[/^systemctl/, exited('', 1, 'Failed to connect to bus: Host is down')]]],
  ['not_permitted', [[/^systemctl/, exited('', 1, 'Failed to get properties: Access denied')]]],
  ['timed_out', [[/^systemctl/, { kind: 'timed_out', timeoutMs: 1_000, stderr: '' }]]],
])('no answer is a gap (%s), never a machine without services', async (code, answers) => {
  const part = await survey(answers);
  expect(part).toMatchObject({ claims: [], listed: [], gaps: [{ ref: 'host', reads: ['unit'], code }] });
});

test('from a container the reason names what to mount', async () => {
  const part = await survey([[/^systemctl/, exited('', 1, 'System has not been booted with systemd')]], {}, '/host');
  expect(part.gaps[0]?.reason).toContain('/host/run/dbus');
});
