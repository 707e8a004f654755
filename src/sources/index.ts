/** Every kind of source there is. */
import { hostSource } from './host/host.ts';
import { prometheusSource } from './prometheus/prometheus-source.ts';

export const sourceDefinitions = [hostSource, prometheusSource] as const;
