import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineAhead, startEngineAhead } from '../support/engine-ahead.ts';
import { openPatrolHouse, type PatrolHouse } from '../support/patrol-house.ts';
import { type RealDocker, startRealDocker, whyNoRealDocker } from '../support/real-docker.ts';

const missing = whyNoRealDocker();
const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const POLL_MS = 250;
const TIMEOUT_MS = 60_000;

describe.skipIf(missing !== null)(
  `a patrol of a real engine${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let engine: RealDocker;

    beforeAll(async () => {
      engine = await startRealDocker();
    }, TIMEOUT_MS);
    afterAll(async () => engine?.close(), TIMEOUT_MS);

    const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
      for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += POLL_MS) {
        if (await holds()) return;
        await wait(POLL_MS);
      }
      throw new Error(`not in time: ${what}`);
    };
    const open = (socket: string): PatrolHouse =>
      openPatrolHouse({
        sources: [{ id: 'docker', type: 'docker', socket }],
        alerts: { container: { unhealthy: { for: '1s' } } },
      });
    const of = (house: PatrolHouse, name: string): readonly string[] =>
      house
        .active()
        .filter((one) => one.includes(`/container/${name} `))
        .map((one) => one.split(' ')[1] ?? '');

    test('finds what is unhealthy, loops, was killed for memory or ended badly; its neighbours stay quiet; each is over after its repair and not before', {
      timeout: 4 * TIMEOUT_MS,
    }, async () => {
      const ahead: EngineAhead = await startEngineAhead(engine.socketPath);
      const house = open(ahead.socketPath);
      await engine.run({ name: 'well', command: ['sleep', '3600'] });
      await engine.run({
        name: 'sick',
        command: ['sleep', '3600'],
        health: { command: 'test ! -e /sick', intervalMs: 1000, retries: 1 },
      });
      await engine.run({ name: 'ends', command: ['sh', '-c', 'while test ! -e /end; do sleep 0.1; done; exit 3'] });
      await engine.run({
        name: 'hungry',
        command: ['sh', '-c', 'while test ! -e /eat; do sleep 0.1; done; head -c 64m /dev/zero | tail'],
        memoryBytes: 24 * MIB,
      });
      await engine.run({ name: 'loops', command: ['sh', '-c', 'sleep 0.2; exit 1'], restart: 'always' });
      await until(
        'the health check to have answered',
        async () => (await engine.inspect('sick')).State.Health?.Status === 'healthy',
      );
      await house.look();
      expect(['well', 'sick', 'ends', 'hungry'].flatMap((name) => of(house, name))).toEqual([]);

      await engine.exec('sick', ['touch', '/sick']);
      await engine.exec('ends', ['touch', '/end']);
      await engine.exec('hungry', ['touch', '/eat']);
      await until(
        'the health check to fail',
        async () => (await engine.inspect('sick')).State.Health?.Status === 'unhealthy',
      );
      await until(
        'both to have ended',
        async () =>
          (await engine.inspect('ends')).State.Status === 'exited' &&
          (await engine.inspect('hungry')).State.Status === 'exited',
      );
      await until(
        'the loop to have gone round three times',
        async () => (await engine.inspect('loops')).RestartCount >= 5,
      );
      await wait(1_500);
      await house.look('watch');
      expect(of(house, 'sick')).toEqual(['container_unhealthy']);
      expect(of(house, 'ends')).toEqual(['container_exited']);
      expect(of(house, 'hungry')).toContain('container_memory');
      expect(of(house, 'loops')).toContain('container_restarting');
      expect(of(house, 'well')).toEqual([]);

      const before = house.active();
      await house.look('watch');
      expect(house.active()).toEqual(before);

      await engine.exec('sick', ['rm', '/sick']);
      await until(
        'the health check to recover',
        async () => (await engine.inspect('sick')).State.Health?.Status === 'healthy',
      );
      await engine.remove('ends');
      await engine.run({ name: 'ends', command: ['sleep', '3600'] });
      await engine.remove('hungry');
      await engine.run({ name: 'hungry', command: ['sleep', '3600'], memoryBytes: 24 * MIB });
      await engine.remove('loops');
      await engine.run({ name: 'loops', command: ['sleep', '3600'], restart: 'always' });
      await house.look('watch');
      expect(of(house, 'sick')).toEqual([]);
      for (let look = 0; look < 8; look += 1) {
        house.setAhead(5 * MINUTE_MS);
        ahead.setAhead(5 * MINUTE_MS);
        await house.look('watch');
      }
      expect(house.active().filter((one) => one.includes('/container/'))).toEqual([]);
      await ahead.close();
      await house.close();
    });

    test('an engine that is gone resolves nothing, and says that it was not seen', {
      timeout: 2 * TIMEOUT_MS,
    }, async () => {
      const house = open(engine.socketPath);
      await engine.run({
        name: 'broken',
        command: ['sleep', '3600'],
        health: { command: 'false', intervalMs: 1000, retries: 1 },
      });
      await until(
        'the health check to fail',
        async () => (await engine.inspect('broken')).State.Health?.Status === 'unhealthy',
      );
      await wait(1_500);
      await house.look();
      expect(of(house, 'broken')).toEqual(['container_unhealthy']);
      await engine.stopEngine();
      const report = await house.look('watch');
      expect(report.run.coverage?.sources).toMatchObject([{ outcome: 'failed' }]);
      expect(report.findings.find(({ key }) => key === 'container_unhealthy')).toMatchObject({
        state: 'active',
        stale: true,
      });
      await engine.startEngine();
      await house.close();
    });
  },
);
