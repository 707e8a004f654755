/** The engine over its socket, TCP or TLS. */
import type { Clock } from '../../runtime/clock.ts';
import { createHttpClient, type HttpClientOptions } from '../../runtime/http-client.ts';
import type { HttpFailure } from '../../runtime/http-failure.ts';
import type { HttpLimits } from '../../runtime/http-limits.ts';
import type { DockerApi } from './docker-api.ts';
import type { DockerConfig } from './docker-config.ts';
import { dockerLimits } from './docker-limits.ts';

export const DEFAULT_SOCKET = '/var/run/docker.sock';
/** The engine's registered ports: 2375 plain, 2376 TLS. */
const TLS_PORT = '2376';

/** Null: the engine is reached over the network. */
export const socketOf = (config: DockerConfig): string | null =>
  config.host === undefined ? (config.socket ?? DEFAULT_SOCKET).replace(/^unix:\/\//, '') : null;

const targetOf = (config: DockerConfig): HttpClientOptions => {
  const socketPath = socketOf(config);
  if (socketPath !== null) return { baseUrl: 'http://docker', socketPath };
  const { caFile, certFile, keyFile } = config;
  const authority = (config.host ?? '').replace(/^tcp:\/\//, '').replace(/\/$/, '');
  const port = /:(\d{1,5})$/.exec(authority)?.[1];
  const secure = port === TLS_PORT || caFile !== undefined || certFile !== undefined;
  const whole = port === undefined ? `${authority}:${secure ? TLS_PORT : '2375'}` : authority;
  return { baseUrl: `${secure ? 'https' : 'http'}://${whole}`, tls: { caFile, certFile, keyFile } };
};

/** Why a socket can't be opened, with the remedy for engines; null where it is not the socket's fault. */
export const explainSocket = (socketPath: string, errno: string | undefined): string | null => {
  switch (errno) {
    case 'ENOENT':
      return `there is no socket ${socketPath}: is the engine installed and running (systemctl status docker, or podman.socket), and is the path right?`;
    case 'EACCES':
    case 'EPERM':
      return `patrold may not open ${socketPath}: add its user to the socket's group (docker, which equals root), or put a read-only socket proxy in between and name that as host`;
    case 'ECONNREFUSED':
      return `nothing listens at ${socketPath}: the engine that made it is not running (systemctl status docker, or podman.socket)`;
    default:
      return null;
  }
};

const explain = (failure: HttpFailure, socketPath: string | null): HttpFailure => {
  const reason = socketPath === null ? null : explainSocket(socketPath, failure.errno);
  if (reason === null) return failure;
  const denied = failure.errno === 'EACCES' || failure.errno === 'EPERM';
  return { ...failure, code: denied ? 'http_not_permitted' : failure.code, reason };
};

/** Throws `http_client_invalid` on an address that can't work. */
export const createRealDockerApi = (
  config: DockerConfig,
  clock: Pick<Clock, 'sleep'>,
  limits: Partial<HttpLimits> = {},
): DockerApi => {
  const socketPath = socketOf(config);
  const client = createHttpClient({
    ...targetOf(config),
    maxConnections: dockerLimits.concurrentReads,
    limits: {
      totalMs: dockerLimits.requestMs,
      firstByteMs: dockerLimits.requestMs,
      maxBodyBytes: dockerLimits.answerBytes,
      ...limits,
    },
  });
  return {
    origin: client.origin,
    get: async (path, query, signal) => {
      const result = await client.request({ path, query, signal });
      if (!result.ok) return { ok: false, failure: explain(result.failure, socketPath) };
      const { status, body } = result.value;
      return { ok: true, value: { status, text: body.toString('utf8'), body } };
    },
    pause: (ms, signal) => clock.sleep(ms, signal),
    close: () => client.close(),
  };
};
