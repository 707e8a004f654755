/** Every kind of source there is. */
import { dockerSource } from './docker/docker-source.ts';
import { hostSource } from './host/host.ts';
import { prometheusSource } from './prometheus/prometheus-source.ts';

export const sourceDefinitions = [hostSource, prometheusSource, dockerSource] as const;
