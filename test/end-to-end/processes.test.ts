import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Household, openHousehold, type Running } from '../support/patrold-process.ts';

const TIMEOUT_MS = 120_000;
const SERVE = ['serve', '--listen', '127.0.0.1:0'];
const POLL_MS = 20;

const stop = async ({ process, ended }: Running): Promise<number | null> => {
  process.kill('SIGTERM');
  return (await ended).code;
};

interface Run {
  readonly id: string;
  readonly state: string;
  readonly trigger: string;
}

const runsOf = async (house: Household): Promise<readonly Run[]> => {
  const { stdout } = await house.run(['runs', 'list', '--json']);
  return (JSON.parse(stdout) as { readonly runs: readonly Run[] }).runs;
};

const until = async (holds: () => boolean): Promise<void> => {
  for (let waitedMs = 0; !holds(); waitedMs += POLL_MS) {
    if (waitedMs > TIMEOUT_MS) throw new Error('not in time');
    await wait(POLL_MS);
  }
};

/** A Prometheus that takes a question and never answers: a run that asks it hangs for as long as its timeout allows. */
const startMute = async (): Promise<{ readonly url: string; asked(): number }> => {
  let asked = 0;
  const server = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
};

/** A household whose every run hangs. */
const openHanging = async (): Promise<{ readonly house: Household; asked(): number }> => {
  const mute = await startMute();
  const house = await openHousehold();
  house.writeConfig(`sources: [{ id: mute, type: prometheus, url: "${mute.url}", surveyTimeout: 5m }]\n`);
  return { house, asked: mute.asked };
};

test('a run beside a daemon is handed over, followed to its end, and told as if it had been made here', {
  timeout: TIMEOUT_MS,
}, async () => {
  const house = await openHousehold();
  const daemon = house.start(SERVE);
  await daemon.logged('run ended');
  house.engine.setFaulty((index) => index === 0);
  const { code, stderr, report } = await house.patrol();
  expect([code, report.run.trigger, report.findings.length]).toEqual([0, 'manual', 1]);
  expect(stderr).not.toContain('error');
  await daemon.logged(report.run.id);
  expect(await stop(daemon)).toBe(0);
});

test('a second daemon on the same data waits its turn, says so, and takes over when the first is killed', {
  timeout: TIMEOUT_MS,
}, async () => {
  const house = await openHousehold();
  const first = house.start(SERVE);
  await first.logged('run ended');
  const second = house.start(SERVE);
  await second.logged('another patrold');
  first.process.kill('SIGKILL');
  await first.ended;
  await second.logged('this one executes runs now');
  house.engine.setFaulty((index) => index === 0);
  const { report } = await house.patrol();
  expect(report.findings).toHaveLength(1);
  await second.logged(report.run.id);
  expect(await stop(second)).toBe(0);
  const states = (await runsOf(house)).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['completed']));
});

test('a bad config at a reload keeps the one in force and says what is wrong with it; a good one is taken', {
  timeout: TIMEOUT_MS,
}, async () => {
  const house = await openHousehold();
  const good = `sources: [{ id: docker, type: docker, socket: ${house.directory}/engine.sock }]\n`;
  const daemon = house.start(SERVE);
  await daemon.logged('run ended');
  house.writeConfig('sources: [{ id: docker, type: dokcer }]\n');
  daemon.process.kill('SIGHUP');
  await daemon.logged('config not reloaded');
  house.engine.setFaulty((index) => index === 0);
  // The command reads the config too: it has to be told where the good one was.
  house.writeConfig(good);
  expect((await house.patrol()).report.findings).toHaveLength(1);
  house.writeConfig(`${good}tags: { "chaos/container/service-0": [web] }\n`);
  daemon.process.kill('SIGHUP');
  await daemon.logged('config reloaded');
  await house.patrol();
  const { stdout } = await house.run(['resources', '--json']);
  expect(stdout).toContain('"web"');
  expect(await stop(daemon)).toBe(0);
});

test('the first signal lets a run end in time, the second one stops at once, and the run is interrupted', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { house, asked } = await openHanging();
  const daemon = house.start(SERVE);
  await until(() => asked() > 0);
  daemon.process.kill('SIGTERM');
  await daemon.logged('a second signal stops at once');
  const begun = performance.now();
  daemon.process.kill('SIGTERM');
  const { code } = await daemon.ended;
  expect(code).toBe(143);
  expect(performance.now() - begun).toBeLessThan(5_000);
  house.writeConfig(`sources: [{ id: docker, type: docker, socket: ${house.directory}/engine.sock }]\n`);
  await house.patrol();
  expect((await runsOf(house)).map(({ state }) => state).toSorted()).toEqual(['completed', 'interrupted']);
});

test('Ctrl-C cancels a run at a shell: it is told as cancelled, in one document', { timeout: TIMEOUT_MS }, async () => {
  const { house, asked } = await openHanging();
  const running = house.start(['run', '--json']);
  await until(() => asked() > 0);
  running.process.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect([code, (JSON.parse(stdout) as { run: Run }).run.state]).toEqual([4, 'cancelled']);
});

test('a run that was killed is interrupted, and made anew', { timeout: TIMEOUT_MS }, async () => {
  const { house, asked } = await openHanging();
  const running = house.start(['run', '--json']);
  await until(() => asked() > 0);
  running.process.kill('SIGKILL');
  expect(await running.ended).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  house.writeConfig(`sources: [{ id: docker, type: docker, socket: ${house.directory}/engine.sock }]\n`);
  house.engine.setFaulty((index) => index === 0);
  const { report } = await house.patrol();
  expect(report.findings).toHaveLength(1);
  // The request that was killed is not forgotten either: it is made anew before the next one.
  const states = Map.groupBy(await runsOf(house), ({ state }) => state);
  expect([states.get('interrupted')?.length, states.get('completed')?.length]).toEqual([1, 2]);
});
