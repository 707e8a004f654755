/** Every kind of source there is. */
import { hostSource } from './host/host.ts';

export const sourceDefinitions = [hostSource] as const;
