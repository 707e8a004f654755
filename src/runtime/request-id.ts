/** Ids of requests that this process makes, so that one which is repeated changes nothing twice. */
import { randomUUID } from 'node:crypto';

export const newRequestId = (): string => randomUUID();
