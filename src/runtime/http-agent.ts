import http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HttpFailureError, httpFailure } from './http-failure.ts';
import { type ConnectTarget, loadTlsMaterial, openConnection } from './http-tls.ts';

/** Keeps connections to one target, and opens them so that nothing is written before trust is settled. */
export class TargetAgent extends http.Agent {
  readonly #target: ConnectTarget;
  readonly #connectMs: number;
  readonly #opening = new Set<Socket>();
  #material: ReturnType<typeof loadTlsMaterial> | null = null;

  constructor(target: ConnectTarget, connectMs: number) {
    super({ keepAlive: true, scheduling: 'lifo' });
    this.#target = target;
    this.#connectMs = connectMs;
  }

  override createConnection(_options: unknown, done: (error: Error | null, socket: Duplex) => void): undefined {
    const failed = done as (error: Error) => void;
    this.#material ??= loadTlsMaterial(this.#target);
    this.#material.then(
      (material) => {
        try {
          const socket = openConnection(this.#target, material, this.#connectMs, (error, ready) => {
            this.#opening.delete(socket);
            done(error, ready);
          });
          this.#opening.add(socket);
        } catch (cause) {
          const reason = `the certificate files for ${this.#target.origin} are no PEM that fits: check caFile, certFile and keyFile`;
          failed(new HttpFailureError(httpFailure('http_tls_files', reason), { cause }));
        }
      },
      (error: Error) => {
        this.#material = null;
        failed(error);
      },
    );
    return undefined;
  }

  override destroy(): void {
    for (const socket of this.#opening) socket.destroy();
    super.destroy();
  }
}
