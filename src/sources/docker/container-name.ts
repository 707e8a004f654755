/** What a container is called for as long as it does its work, however often it is made anew. */
import { cleanText } from '../../runtime/text.ts';
import type { Listed } from './container-schema.ts';
import { dockerLimits } from './docker-limits.ts';

const SHORT_ID = 12;
const REPLACES_LABEL = 'com.docker.compose.replace';

/**
 * The engine's name without its leading slash. Three names do not last, and are led back to one that does:
 * a Swarm task (`web.1.x7k…`, another at each restart) is `web.1`; a container that Compose makes in place of another
 * (`<short id of that>_web` until that is gone, or for good if Compose was interrupted: docker/compose,
 * pkg/compose/convergence.go; version 1 renamed the old one to `<its short id>_web`) is `web`; a container without a
 * name is its short id.
 */
export const stableName = (container: Pick<Listed, 'Id' | 'Names' | 'Labels'>): string => {
  const shortId = container.Id.slice(0, SHORT_ID);
  const task = swarmTaskName(container.Labels ?? {});
  if (task !== null) return task;
  // Legacy links add aliases of the form /other/alias.
  const own = (container.Names ?? []).map((name) => name.replace(/^\//, '')).find((name) => !name.includes('/'));
  const name = cleanText(own ?? '', dockerLimits.nameLength);
  if (name === '') return shortId;
  const replaces = (container.Labels?.[REPLACES_LABEL] ?? '').slice(0, SHORT_ID);
  const passing = [shortId, replaces].find((id) => id.length === SHORT_ID && name.startsWith(`${id}_`));
  return passing === undefined ? name : name.slice(SHORT_ID + 1) || name;
};

/** `service.slot`, or `service.node` for a global service; null: not a task of a Swarm. */
const swarmTaskName = (labels: Readonly<Record<string, string>>): string | null => {
  const service = labels['com.docker.swarm.service.name'];
  const task = labels['com.docker.swarm.task.name'];
  const taskId = labels['com.docker.swarm.task.id'];
  if (service === undefined || task === undefined || taskId === undefined) return null;
  const name = task.endsWith(`.${taskId}`) ? task.slice(0, -taskId.length - 1) : task;
  return cleanText(name, dockerLimits.nameLength) || null;
};
