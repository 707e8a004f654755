/**
 * A real Prometheus, and a real node_exporter for it to scrape: Debian's `prometheus` and `prometheus-node-exporter` on
 * ports of their own choice, with storage in a temporary directory. History comes from `promtool`, without waiting.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STARTS_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 10_000;
const POLL_MS = 100;
/** promtool reads the whole file anew for each block, of two hours by default. */
const ONE_BLOCK = '--max-block-duration=720h';

export interface ExporterProcess {
  /** `127.0.0.1:port`, as a scrape target is written. */
  readonly instance: string;
  stop(): Promise<void>;
}

export interface PrometheusProcess {
  readonly url: string;
  /** Resolves to the first result of the instant query that the test accepts; rejects after `withinMs`. */
  until(
    promql: string,
    accepts: (result: readonly QueryResult[]) => boolean,
    withinMs?: number,
  ): Promise<readonly QueryResult[]>;
  /** At once, with no chance to end its answers; resolves when it is dead. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface QueryResult {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

export interface ScrapeJob {
  readonly job: string;
  readonly targets: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

export interface PrometheusOptions {
  readonly jobs?: readonly ScrapeJob[];
  /** History in OpenMetrics text, with its timestamps; written into blocks before the start. */
  readonly history?: string;
}

const runs = (program: string, flag: string): boolean => {
  try {
    execFileSync(program, [flag], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
};

/** Null: everything is there; else why tests with it are skipped. */
export const prometheusMissing = (): string | null => {
  const missing = ['prometheus', 'promtool', 'prometheus-node-exporter'].filter(
    (program) => !runs(program, '--version'),
  );
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`;
};

/** Both programs log the port that they got. */
const listeningOn = (child: ChildProcess, program: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let log = '';
    const settle = (): void => {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.stderr?.off('data', onData).resume();
    };
    const fail = (why: string): void => {
      settle();
      reject(new Error(`${program} ${why}:\n${log.slice(-2_000)}`));
    };
    const onExit = (code: number | null): void => fail(`ended with ${code}`);
    const onData = (text: string): void => {
      log = `${log}${text}`.slice(-20_000);
      const [, address] = /msg="Listening on" address=(127\.0\.0\.1:\d+)/.exec(log) ?? [];
      if (address === undefined) return;
      settle();
      resolve(address);
    };
    const timer = setTimeout(() => fail('did not start in time'), STARTS_WITHIN_MS);
    child.once('exit', onExit);
    child.once('error', (error) => fail(error.message));
    child.stderr?.setEncoding('utf8').on('data', onData);
  });

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });

const start = async (program: string, args: readonly string[]): Promise<{ child: ChildProcess; address: string }> => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.removeListener('exit', killAtExit));
  try {
    return { child, address: await listeningOn(child, program) };
  } catch (error) {
    await end(child);
    throw error;
  }
};

export const startNodeExporter = async (args: readonly string[] = []): Promise<ExporterProcess> => {
  const quiet = ['--web.listen-address=127.0.0.1:0', '--collector.textfile.directory='];
  const { child, address } = await start('prometheus-node-exporter', [...quiet, ...args]);
  return { instance: address, stop: () => end(child) };
};

/** JSON is YAML. */
const configOf = (jobs: readonly ScrapeJob[]): string =>
  JSON.stringify({
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: jobs.map(({ job, targets, labels = {} }) => ({
      job_name: job,
      static_configs: [{ targets, labels }],
    })),
  });

const query = async (url: string, promql: string): Promise<readonly QueryResult[]> => {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(promql)}`);
  const body = (await response.json()) as { data?: { result?: readonly QueryResult[] } };
  return body.data?.result ?? [];
};

export const startPrometheus = async ({ jobs = [], history }: PrometheusOptions = {}): Promise<PrometheusProcess> => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-prometheus-'));
  const data = join(directory, 'data');
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  try {
    writeFileSync(join(directory, 'prometheus.yml'), configOf(jobs));
    if (history !== undefined) {
      const file = join(directory, 'history.om');
      writeFileSync(file, history);
      execFileSync('promtool', ['tsdb', 'create-blocks-from', ONE_BLOCK, 'openmetrics', '--quiet', file, data], {
        stdio: 'pipe',
        timeout: 60_000,
      });
    }
    const { child, address } = await start('prometheus', [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=90d',
      '--web.listen-address=127.0.0.1:0',
    ]);
    const url = `http://${address}`;
    const prometheus: PrometheusProcess = {
      url,
      until: async (promql, accepts, withinMs = 20_000) => {
        const endAt = performance.now() + withinMs;
        for (;;) {
          const result = await query(url, promql).catch(() => []);
          if (accepts(result)) return result;
          if (performance.now() > endAt)
            throw new Error(
              `${promql} gave nothing that fits within ${withinMs} ms: ${JSON.stringify(result).slice(0, 500)}`,
            );
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      },
      kill: async () => {
        child.kill('SIGKILL');
        await end(child);
      },
      stop: async () => {
        await end(child);
        remove();
      },
    };
    await prometheus.until('vector(1)', (result) => result.length === 1, STARTS_WITHIN_MS);
    return prometheus;
  } catch (error) {
    remove();
    throw error;
  }
};
