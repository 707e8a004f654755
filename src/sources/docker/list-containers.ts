/** The engine's list of containers, running or not. */
import { z } from 'zod';
import { describeIssue, type EngineQuestions } from './ask-engine.ts';
import { type Listed, listedSchema } from './container-schema.ts';
import { dockerLimits } from './docker-limits.ts';
import { type Engine, need } from './engine.ts';
import { failed } from './read-failure.ts';

export interface ContainerList {
  readonly containers: readonly Listed[];
  /** What is wrong with each item that was dropped, at most a few named. */
  readonly malformed: readonly string[];
  readonly malformedCount: number;
}

/** Throws `source_not_answering`: without the list nothing can be said about any container. */
export const listContainers = async (ask: EngineQuestions, engine: Pick<Engine, 'prefix'>): Promise<ContainerList> => {
  const items = need(await ask.json(engine.prefix, '/containers/json', { all: '1' }, z.array(z.unknown())));
  const containers: Listed[] = [];
  const malformed: string[] = [];
  for (const item of items) {
    const checked = listedSchema.safeParse(item);
    if (checked.success) containers.push(checked.data);
    else malformed.push(describeIssue(checked.error));
  }
  if (items.length > 0 && containers.length === 0) {
    need(
      failed('malformed', `${ask.origin} lists ${items.length} containers, none of which can be read: ${malformed[0]}`),
    );
  }
  return { containers, malformed: malformed.slice(0, dockerLimits.malformedNamed), malformedCount: malformed.length };
};
