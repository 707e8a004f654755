/** One survey of an engine: its host, its containers, and what became of them since the last one. */
import type { Clock } from '../../runtime/clock.ts';
import type { Sighting, SourceState, SurveyRequest } from '../source.ts';
import { createEngineQuestions } from './ask-engine.ts';
import { chooseContainers } from './choose-containers.ts';
import { HOST_REF, hostClaim, type Locality } from './claims.ts';
import type { DockerApi } from './docker-api.ts';
import { dockerLimits } from './docker-limits.ts';
import { type DockerMemory, keepMemory, recallMemory } from './docker-memory.ts';
import { type Engine, readEngine } from './engine.ts';
import { type EventLog, readEvents } from './event-log.ts';
import { listContainers } from './list-containers.ts';
import { countAgain, type LookAllDeps, lookAtAll } from './look-at-all.ts';
import type { Look } from './look-at-container.ts';
import type { Read } from './read-failure.ts';
import { type ContainerReport, reportContainer } from './report-container.ts';
import { keepInspections } from './settled.ts';
import { afterMissedEvents, foldStopRequests, requestedAtMs, type StopRequests } from './stop-requests.ts';
import { clockGaps, eventGaps, listGaps } from './survey-gaps.ts';

export interface SurveyDockerDeps {
  readonly api: DockerApi;
  readonly clock: Clock;
  readonly state: SourceState;
  readonly locality: Omit<Locality, 'origin'>;
  readonly ignore: readonly string[];
  readonly timeoutMs: number;
}

/** Throws `source_not_answering` when neither engine nor list can be read; what is missing beside that is a gap. */
export const surveyDocker = async (
  deps: SurveyDockerDeps,
  request: Pick<SurveyRequest, 'signal'>,
): Promise<Sighting> => {
  const { api, clock, state } = deps;
  const deadlineMs = clock.monotonicMs() + deps.timeoutMs * dockerLimits.detailsShare;
  const memory = recallMemory(state);
  const ask = createEngineQuestions(api, request.signal);
  const engine = await readEngine(ask, clock);
  const list = await listContainers(ask, engine);
  const choice = chooseContainers(list.containers, deps.ignore);
  const lookDeps: LookAllDeps = { ask, engine, clock, deadlineMs };
  const looks = await lookAtAll(lookDeps, choice.containers, memory);
  // After the inspections: whatever end they saw has its request among the events by then.
  const log = await readEvents(ask, engine, memory.cursor, engine.timeMs() ?? clock.nowMs());
  const countedAgain = await countAgain(lookDeps, looks, memory.cpu);
  request.signal.throwIfAborted();
  const stops = stopsFrom(memory, log, looks);
  const knownSinceMs = log.ok && log.value.malformed === 0 ? log.value.cursor.knownSinceMs : null;
  const nowMs = clock.nowMs() + engine.clockOffset.ms;
  const stopsOf = (id: string) => ({ requestedAtMs: requestedAtMs(stops[id], nowMs), knownSinceMs });
  const reports = looks
    .map((look) => reportContainer(look, { engine, countsBefore: memory.cpu, countedAgain, stopsOf }))
    .filter((report) => report !== null);
  keepMemory(state, nextMemory(memory, log, stops, looks, reports, engine));
  return {
    claims: [hostClaim(engine, { ...deps.locality, origin: api.origin }), ...reports.map(({ claim }) => claim)],
    readings: reports.flatMap(({ readings }) => readings),
    series: [],
    gaps: [...listGaps(list, choice), ...clockGaps(engine), ...eventGaps(log), ...reports.flatMap(({ gaps }) => gaps)],
    listed: list.malformedCount === 0 && choice.leftOut === 0 ? [{ kind: 'container', parentRef: HOST_REF }] : [],
  };
};

const stopsFrom = (memory: DockerMemory, log: Read<EventLog>, looks: readonly Look[]): StopRequests => {
  const present = new Set(looks.map(({ container }) => container.listed.Id));
  const before = log.ok && !log.value.unbroken ? afterMissedEvents(memory.stops) : memory.stops;
  return foldStopRequests(before, log.ok ? log.value.events : [], present);
};

const nextMemory = (
  memory: DockerMemory,
  log: Read<EventLog>,
  stops: StopRequests,
  looks: readonly Look[],
  reports: readonly ContainerReport[],
  engine: Engine,
): DockerMemory => {
  const counts = reports.map(({ claim, count }) => [claim.ref, count] as const);
  const seen = looks.flatMap(({ inspected, atMs, container }) =>
    inspected === 'gone' || !inspected.ok
      ? []
      : [keptSince(memory, container.listed.Id, inspected.value, atMs + engine.clockOffset.ms)],
  );
  return {
    cpu: Object.fromEntries(counts.flatMap(([ref, count]) => (count === null ? [] : [[ref, count]]))),
    stops,
    cursor: log.ok ? log.value.cursor : memory.cursor,
    inspections: keepInspections(seen),
  };
};

/** An inspection that was taken from memory keeps its age, so that it is asked for again in time. */
const keptSince = (
  memory: DockerMemory,
  id: string,
  inspected: DockerMemory['inspections'][string]['inspected'],
  atMs: number,
): DockerMemory['inspections'][string] => {
  const kept = memory.inspections[id];
  return kept?.inspected === inspected ? kept : { inspected, atMs };
};
