/** Tags that a container's labels give it. Only two labels count: a label is easily written by whoever made an image. */
import { cleanText } from '../../runtime/text.ts';
import { dockerLimits } from './docker-limits.ts';

const PROJECT_LABEL = 'com.docker.compose.project';
const TAGS_LABEL = 'patrold.tags';

export const composeProject = (labels: Readonly<Record<string, string>>): string | null =>
  cleanText(labels[PROJECT_LABEL] ?? '', dockerLimits.tagLength) || null;

/** `project:<name>` for a Compose project, and what `patrold.tags=a,b` names; without doubles, at most `tags` of them. */
export const containerTags = (labels: Readonly<Record<string, string>>): readonly string[] => {
  const project = composeProject(labels);
  const own = (labels[TAGS_LABEL] ?? '')
    .slice(0, dockerLimits.tags * (dockerLimits.tagLength + 1))
    .split(',')
    .map((tag) => cleanText(tag, dockerLimits.tagLength))
    .filter((tag) => tag !== '');
  return [...new Set([...(project === null ? [] : [`project:${project}`]), ...own])].slice(0, dockerLimits.tags);
};
