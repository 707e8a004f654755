import { describe, expect, it } from 'vitest';
import { dockerLimits } from '../../../src/sources/docker/docker-limits.ts';
import { gapsOf, kindsOf, namesOf, readingsOf, watchDocker } from '../../support/docker-watch.ts';
import {
  containerId,
  inspectedAnswer,
  listedAnswer,
  plain,
  startScriptedEngine,
  status,
} from '../../support/scripted-engine.ts';

const web = containerId(1);
const db = containerId(2);
const MIB = 2 ** 20;

describe('a survey of which a part fails', () => {
  const cases: readonly (readonly [string, (request: never, response: never) => void, string, RegExp])[] = [
    [
      'an error of the engine',
      status(500, 'context deadline exceeded\n'),
      'failed',
      /^web: .*\/containers\/000000000000\/json with status 500: context deadline exceeded$/,
    ],
    [
      'a refusal',
      status(403, 'Forbidden'),
      'not_permitted',
      /does not let patrold read .*VERSION, INFO, CONTAINERS and EVENTS/,
    ],
    ['what is not JSON', plain('<html>'), 'malformed', /not JSON/],
    ['half an answer', (_request, response) => cutShort(response), 'cut_short', /broke off/],
    ['another shape', plain('{"Id":"x"}'), 'malformed', /another shape than is known: Id: Invalid string/],
    ['silence', () => undefined, 'timed_out', /within totalMs = 200 ms/],
  ];

  it.each(cases)('is whole for the others where an inspection brings %s', async (_what, answer, code, reason) => {
    const engine = await startScriptedEngine();
    engine.script(`/containers/${web}/json`, answer);
    const sighting = await watchDocker(engine.socketPath, 200).survey();
    expect(gapsOf(sighting)).toEqual([{ ref: web, reads: [], code, reason: expect.stringMatching(reason) }]);
    expect(sighting.claims.find(({ ref }) => ref === web)).toMatchObject({
      name: 'web',
      status: 'running',
      expects: ['container'],
    });
    expect(kindsOf(sighting, web)).toEqual([]);
    expect(kindsOf(sighting, db)).toContain('container');
    expect(sighting.listed).toHaveLength(1);
  });

  it.each(cases.filter(([what]) => what !== 'another shape'))(
    'keeps the state where the counters bring %s',
    async (_what, answer, code) => {
      const engine = await startScriptedEngine();
      engine.script(`/containers/${web}/json`, inspectedAnswer(1, {}, { Memory: MIB }));
      engine.script(`/containers/${web}/stats`, answer);
      const sighting = await watchDocker(engine.socketPath, 200).survey();
      expect(gapsOf(sighting)).toMatchObject([{ ref: web, reads: ['cpu', 'container_memory'], code }]);
      expect(kindsOf(sighting, web)).toEqual(['container']);
    },
  );

  it.each(cases.filter(([what]) => what !== 'another shape'))(
    'knows of no stop where the events bring %s',
    async (_what, answer, code) => {
      const engine = await startScriptedEngine({ 1: 'web' });
      engine.script('/events', answer);
      const sighting = await watchDocker(engine.socketPath, 200).survey();
      expect(gapsOf(sighting)).toEqual([
        {
          ref: 'host',
          reads: ['container'],
          code,
          reason: expect.stringMatching(/^events could not be read, so a stop/),
        },
      ]);
      expect(readingsOf(sighting, web)[0]).toMatchObject({ stopRequestedAtMs: null, stopsKnownSinceMs: null });
    },
  );

  it('says which container it does not understand', async () => {
    const engine = await startScriptedEngine();
    engine.script(`/containers/${web}/json`, inspectedAnswer(1, { Status: 'hovering' }));
    expect(gapsOf(await watchDocker(engine.socketPath).survey())).toEqual([
      { ref: web, reads: ['container'], code: 'malformed', reason: 'web: state "hovering" is not known' },
    ]);
  });

  it('drops and counts what it can not read of the list, which is not whole then', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    engine.script('/containers/json', [listedAnswer(1, 'web'), { Id: '../../info' }, { Id: containerId(3) }]);
    const sighting = await watchDocker(engine.socketPath).survey();
    expect(namesOf(sighting)).toEqual(['nas', 'web']);
    expect(sighting.listed).toEqual([]);
    expect(gapsOf(sighting)).toMatchObject([
      { ref: null, code: 'malformed', reason: expect.stringMatching(/^2 listed containers could not be read: Id: /) },
    ]);
  });

  it('looks at a bounded number of containers, and says how many it left out', async () => {
    const engine = await startScriptedEngine({});
    const many = Array.from({ length: dockerLimits.containers + 5 }, (_, index) =>
      listedAnswer(index + 1, `c${index}`),
    );
    engine.script('/containers/json', many);
    const sighting = await watchDocker(engine.socketPath).survey({ timeoutMs: 0 });
    expect(sighting.listed).toEqual([]);
    expect(gapsOf(sighting)[0]).toMatchObject({
      ref: null,
      code: 'cut_short',
      reason: expect.stringMatching(/^5 containers were not looked at/),
    });
  });

  it('asks for nothing more when its time is nearly used up', async () => {
    const engine = await startScriptedEngine();
    const sighting = await watchDocker(engine.socketPath).survey({ timeoutMs: 0 });
    expect(gapsOf(sighting)).toMatchObject([
      { ref: db, reads: [], code: 'cut_short' },
      { ref: web, reads: [], code: 'cut_short', reason: expect.stringMatching(/timeout/) },
    ]);
    expect(engine.asked.some((path) => path.includes(web))).toBe(false);
  });
});

describe('a survey that can see nothing', () => {
  const failing = (path: string, answer: unknown) => async () => {
    const engine = await startScriptedEngine();
    engine.script(path, answer);
    return watchDocker(engine.socketPath, 200).survey();
  };

  it.each([
    ['the engine is too old', '/version', { ApiVersion: '1.24' }, /speaks API 1\.24 at most.*upgrade/],
    [
      'something else answers',
      '/version',
      plain('<html>It works</html>', 200, 'text/html'),
      /not JSON: is this a container engine/,
    ],
    ['something else answers in JSON', '/version', { hello: 'world' }, /another shape than is known: ApiVersion/],
    ['it only accepts connections', '/version', () => undefined, /within totalMs = 200 ms/],
    ['a proxy refuses the engine itself', '/info', status(403, ''), /read \/info \(403\): a socket proxy/],
    ['a proxy refuses the list', '/containers/json', status(403, ''), /CONTAINERS/],
    ['the engine fails', '/containers/json', status(500, 'layer store is gone'), /500: layer store is gone/],
    ['it leads elsewhere', '/containers/json', plain('', 302), /redirects \/containers\/json elsewhere/],
    ['the list breaks off', '/containers/json', (_request: never, response: never) => cutShort(response), /broke off/],
    ['the list is none', '/containers/json', plain('null'), /another shape/],
    [
      'nothing of the list can be read',
      '/containers/json',
      [{ Id: 7 }, {}],
      /lists 2 containers, none of which can be read/,
    ],
  ])('fails with the reason where %s', async (_what, path, answer, reason) => {
    await expect(failing(path, answer)()).rejects.toMatchObject({
      code: 'source_not_answering',
      message: expect.stringMatching(reason),
    });
  });

  it('quotes no secret that an engine says', async () => {
    await expect(failing('/info', status(500, 'token=abcdefgh12345678 \u001b[31mbad'))()).rejects.toThrow(
      /500: token=\[redacted\] bad$/,
    );
  });

  it('does not take an engine without containers for a failure', async () => {
    const sighting = await watchDocker((await startScriptedEngine({})).socketPath).survey();
    expect(namesOf(sighting)).toEqual(['nas']);
    expect(sighting.listed).toEqual([{ kind: 'container', parentRef: 'host' }]);
  });
});

/** The head of an answer that promises more than comes. */
const cutShort = (response: {
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(text: string): unknown;
  destroy(): unknown;
}): void => {
  response.writeHead(200, { 'content-length': '500' });
  response.write('[{"Id":');
  setTimeout(() => response.destroy(), 20);
};
