/** The log: one line of JSON an event, on stderr, without secrets. */
import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino';
import type { Clock } from './clock.ts';

export type { Logger } from 'pino';

/** error: our bug. warn: a degraded outside thing. info: a state change. debug: for finding out. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerDeps {
  readonly level: LogLevel;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Where lines go; stderr unless given, written at once so that a crash loses none. */
  readonly stream?: DestinationStream;
}

/**
 * Names under which a credential could reach a log line, at the top and one or two levels down. A second net: what
 * patrold itself keeps is a Secret, which prints nothing; answers and requests of others are not.
 */
const SECRET_NAMES = [
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'passwd',
  'secret',
  'token',
  'tokenSecret',
  'apiKey',
  'api_key',
  'ticket',
  'CSRFPreventionToken',
  'PVEAuthCookie',
  'PBSAuthCookie',
] as const;

const atDepths = (name: string): string[] => [name, `*.${name}`, `*.*.${name}`];

export const createLogger = ({ level, clock, stream }: LoggerDeps): Logger => {
  const options: LoggerOptions = {
    level,
    // journald and Docker know the process and the host already.
    base: null,
    timestamp: () => `,"time":${clock.nowMs()}`,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_NAMES.flatMap(atDepths), censor: '[redacted]' },
  };
  return pino(options, stream ?? destination({ fd: 2, sync: true }));
};
