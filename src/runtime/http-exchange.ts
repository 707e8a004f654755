/** One request and its answer, within its limits; every way to end is a result. */
import http from 'node:http';
import type { TargetAgent } from './http-agent.ts';
import { readBody } from './http-body.ts';
import {
  classifyHttpError,
  type HttpFailure,
  type HttpFailureCode,
  type HttpResult,
  httpFailure,
} from './http-failure.ts';
import type { HttpLimits } from './http-limits.ts';
import { type ConnectTarget, type PeerTls, peerOf } from './http-tls.ts';

/** Any status, a redirect too: redirects are never followed. */
export interface HttpResponse {
  readonly status: number;
  /** The words beside the status: Proxmox puts its reason there and nowhere else. Untrusted text. */
  readonly reasonPhrase: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** From sending the request to the head of the answer. */
  readonly latencyMs: number;
  readonly peer: PeerTls | null;
}

export interface HttpCall {
  readonly target: ConnectTarget;
  readonly agent: TargetAgent;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  readonly signal: AbortSignal | undefined;
  readonly limits: HttpLimits;
}

export interface Exchanged {
  readonly result: HttpResult<HttpResponse>;
  /** It broke on a connection that had been used before, before any answer, and asking again changes nothing. */
  readonly retriable: boolean;
}

const ABORTED = 'was not waited for any longer: the survey ended or was cancelled';

/** What happens to one exchange, in the order in which it may happen. */
class Exchange {
  readonly #call: HttpCall;
  readonly #resolve: (exchanged: Exchanged) => void;
  readonly #startedAt = performance.now();
  readonly #request: http.ClientRequest;
  readonly #timers: NodeJS.Timeout[] = [];
  #sentAt = this.#startedAt;
  #peer: PeerTls | null = null;
  #answered = false;
  #status: number | null = null;
  #ended = false;

  constructor(call: HttpCall, resolve: (exchanged: Exchanged) => void) {
    this.#call = call;
    this.#resolve = resolve;
    const { host, port } = call.target;
    const headers =
      call.body === null ? call.headers : { ...call.headers, 'content-length': String(Buffer.byteLength(call.body)) };
    this.#request = http.request({ agent: call.agent, host, port, method: call.method, path: call.path, headers });
    this.#listen();
    this.#limit('totalMs', 'did not finish its answer');
    this.#request.end(call.body ?? undefined);
  }

  #listen(): void {
    const { signal, target, limits } = this.#call;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#request.on('socket', (socket) => {
      this.#sentAt = performance.now();
      this.#peer = peerOf(socket, target);
      const timer = this.#limit('firstByteMs', 'did not begin to answer');
      this.#request.once('response', () => clearTimeout(timer));
    });
    this.#request.on('error', (error) => {
      const retriable = this.#request.reusedSocket && !this.#answered && !this.#ended && this.#call.method !== 'POST';
      this.#fail(classifyHttpError(error, target.origin, this.#answered), retriable);
    });
    this.#request.on('response', (response) => {
      this.#answered = true;
      this.#status = response.statusCode ?? null;
      const latencyMs = performance.now() - this.#sentAt;
      readBody(response, target.origin, limits, (body) => {
        if (!Buffer.isBuffer(body)) return this.#fail({ ...body, status: this.#status });
        const value = {
          status: response.statusCode ?? 0,
          reasonPhrase: response.statusMessage ?? '',
          headers: response.headers,
          body,
          latencyMs,
          peer: this.#peer,
        };
        this.#settle({ result: { ok: true, value }, retriable: false });
      });
    });
  }

  readonly #onAbort = (): void => this.#failWith('http_aborted', ABORTED);

  #limit(name: 'firstByteMs' | 'totalMs', what: string): NodeJS.Timeout {
    const ms = this.#call.limits[name];
    const timer = setTimeout(() => this.#failWith('http_timeout', `${what} within ${name} = ${ms} ms`), ms);
    this.#timers.push(timer);
    return timer;
  }

  #failWith(code: HttpFailureCode, what: string): void {
    this.#fail(httpFailure(code, `${this.#call.target.origin} ${what}`, this.#status));
  }

  #fail(failure: HttpFailure, retriable = false): void {
    this.#settle({ result: { ok: false, failure }, retriable });
    this.#request.destroy();
  }

  #settle(exchanged: Exchanged): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#call.signal?.removeEventListener('abort', this.#onAbort);
    this.#resolve(exchanged);
  }
}

/** Never rejects. */
export const exchange = (call: HttpCall): Promise<Exchanged> =>
  new Promise((resolve) => {
    const fail = (failure: HttpFailure): void => resolve({ result: { ok: false, failure }, retriable: false });
    if (call.signal?.aborted === true) return fail(httpFailure('http_aborted', `${call.target.origin} ${ABORTED}`));
    try {
      new Exchange(call, resolve);
    } catch (error) {
      fail(classifyHttpError(error, call.target.origin, false));
    }
  });
