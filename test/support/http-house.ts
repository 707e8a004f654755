/** A real HTTP server over a real SQLite file, with whatever a test puts into it. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFindingStore, type FindingStore } from '../../findings/store.ts';
import type { AnyDetector } from '../../signals/detector.ts';
import { type AlertSettings, createLimitResolver, noSettings } from '../../signals/limits.ts';
import type { AnyCapability } from '../../src/capabilities/capability.ts';
import { findingPortOf } from '../../src/capabilities/finding-port.ts';
import { capabilities as allCapabilities } from '../../src/capabilities/index.ts';
import { createManifest } from '../../src/capabilities/manifest.ts';
import type { CapabilityPorts } from '../../src/capabilities/ports.ts';
import { createInventoryStore, type InventoryStore } from '../../src/evidence/inventory-store.ts';
import { createResourceReader } from '../../src/evidence/resource-reader.ts';
import { createHttpServer, type HttpServer, type HttpServerDeps } from '../../src/http/http-server.ts';
import { createTokenStore, type TokenStore } from '../../src/http/token-store.ts';
import { createRunStore, type RunStore } from '../../src/patrol/run-store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type Database, openDatabase } from '../../src/runtime/database.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { createMetrics, type Metrics } from '../../src/runtime/metrics.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const NOW_MS = Date.UTC(2026, 0, 1);

export interface Store {
  readonly db: Database;
  readonly clock: FakeClock;
  readonly findings: FindingStore;
  readonly inventory: InventoryStore;
  readonly runs: RunStore;
  readonly tokens: TokenStore;
  readonly ports: CapabilityPorts;
  /** Every line that was logged. */
  readonly log: readonly string[];
}

export interface StoreOptions {
  readonly capabilities?: readonly AnyCapability[];
  readonly detectors?: readonly AnyDetector[];
  readonly alerts?: AlertSettings;
}

/** A migrated database in a temporary directory, and the stores over it. */
export const openStore = (options: StoreOptions = {}): Store => {
  const { capabilities = allCapabilities, detectors = [], alerts = noSettings } = options;
  const clock = createFakeClock(NOW_MS);
  const db = openDatabase({ path: join(temporaryDirectory(), 'patrold.db') });
  onTestFinished(() => db.close());
  const log: string[] = [];
  const logger = createLogger({ level: 'debug', clock, stream: { write: (line) => log.push(line) } });
  const newId = createIds(clock.nowMs);
  const findings = createFindingStore({ db, newId, detectorTypes: new Set(detectors.map(({ type }) => type)) });
  const runs = createRunStore(db);
  const ports: CapabilityPorts = {
    findings: findingPortOf(findings),
    runs,
    resources: createResourceReader(db),
    settings: () => ({ detectors, limits: createLimitResolver(alerts) }),
    manifest: createManifest(capabilities, '0.0.0'),
  };
  const tokens = createTokenStore({ db, newId, clock, logger });
  return { db, clock, findings, inventory: createInventoryStore(db), runs, tokens, ports, log };
};

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Undefined where the body is not JSON. */
  readonly body: unknown;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly token?: string | null;
}

export interface House extends Store {
  readonly server: HttpServer;
  readonly metrics: Metrics;
  readonly port: number;
  /** Holds every scope. */
  readonly adminToken: string;
  /** Shows the admin token unless `token` says otherwise; the path is sent as it is written. */
  ask(path: string, options?: Asked): Promise<Answered>;
  tokenWith(...scopes: readonly string[]): string;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Node's own client: neither the path nor the headers are tidied up on the way. */
export const askAt = (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
      });
    });
    request.once('error', reject);
    request.end(body);
  });

export type HouseOptions = StoreOptions & Partial<Omit<HttpServerDeps, 'ports' | 'tokens' | 'capabilities'>>;

export const openHouse = async (options: HouseOptions = {}): Promise<House> => {
  const { capabilities = allCapabilities, detectors: _detectors, alerts: _alerts, ...rest } = options;
  const store = openStore(options);
  const metrics = createMetrics({ version: '0.0.0', nodeVersion: process.version });
  const server = createHttpServer({
    listen: '127.0.0.1:0',
    metricsToken: false,
    clock: systemClock,
    logger: createLogger({
      level: 'debug',
      clock: store.clock,
      stream: { write: (line) => (store.log as string[]).push(line) },
    }),
    readiness: [],
    metrics,
    capabilities,
    tokens: store.tokens,
    ports: store.ports,
    ...rest,
  });
  const { port } = await server.listen();
  onTestFinished(() => server.close());
  const adminToken = store.tokens.create('test', ['admin']).secret;
  return {
    ...store,
    server,
    metrics: options.metrics ?? metrics,
    port,
    adminToken,
    tokenWith: (...scopes) => store.tokens.create(scopes.join('+'), scopes).secret,
    ask: (path, { token = adminToken, headers, ...asked } = {}) =>
      askAt(port, path, {
        ...asked,
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      }),
  };
};
