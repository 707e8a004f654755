/** Surveys the machine twice, with whatever rights and root a test gives it, and prints what came of it as JSON. */
import { systemClock } from '../../src/runtime/clock.ts';
import { hostConfigSchema } from '../../src/sources/host/config.ts';
import { hostSource } from '../../src/sources/host/host.ts';
import { surveySource } from '../../src/sources/survey-source.ts';
import { sourceDeps, surveyRequest } from './source-deps.ts';

const deps = sourceDeps({ clock: systemClock });
const config = hostConfigSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
const source = hostSource.create('this-host', config, deps);
const ask = () => surveySource({ source, request: surveyRequest(), timeoutMs: hostSource.defaultTimeoutMs }, deps);
console.log(
  JSON.stringify({ probe: await source.probe(AbortSignal.timeout(5_000)), first: await ask(), second: await ask() }),
);
await source.close();
