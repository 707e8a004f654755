/** Opens one connection and closes it again: whether something accepts it, and which certificate it shows. */
import { classifyHttpError, type HttpFailure, httpFailure } from '../../runtime/http-failure.ts';
import { type ConnectTarget, loadTlsMaterial, openConnection, type PeerTls, peerOf } from '../../runtime/http-tls.ts';
import type { Trust } from './check.ts';

export interface ConnectRequest {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly trust: Trust;
  readonly timeoutMs: number;
}

export type Connected =
  | { readonly ok: true; readonly latencyMs: number; readonly peer: PeerTls | null }
  | { readonly ok: false; readonly failure: HttpFailure };

/** Never rejects. A certificate is reported as it is, not refused: nothing is sent on this connection. */
export const connect = async (request: ConnectRequest, signal: AbortSignal): Promise<Connected> => {
  const { origin, host, port, secure, trust, timeoutMs } = request;
  const target: ConnectTarget = {
    origin,
    host,
    port,
    secure,
    socketPath: null,
    tls: { caFile: trust.caFile, verify: 'report' },
  };
  const failed = (error: unknown): Connected => ({ ok: false, failure: classifyHttpError(error, origin, false) });
  try {
    const material = await loadTlsMaterial(target);
    if (signal.aborted) return aborted(origin);
    const startedMs = performance.now();
    return await new Promise<Connected>((resolve) => {
      const onAbort = (): void => {
        socket.destroy();
        resolve(aborted(origin));
      };
      const socket = openConnection(target, material, timeoutMs, (error, ready) => {
        signal.removeEventListener('abort', onAbort);
        if (error !== null) return resolve(failed(error));
        const connected: Connected = {
          ok: true,
          latencyMs: performance.now() - startedMs,
          peer: peerOf(ready, target),
        };
        ready.on('error', () => undefined);
        ready.destroy();
        resolve(connected);
      });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  } catch (error) {
    return failed(error);
  }
};

const aborted = (origin: string): Connected => ({
  ok: false,
  failure: httpFailure('http_aborted', `${origin} was not waited for any longer: the survey ended or was cancelled`),
});
