/** A whole run over 10,000 resources, several times, each in a process of its own. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVICE_ENV, SERVICE_FLAGS } from './daemon.ts';
import { FAULTS, RESOURCES, writeEstate } from './estate.ts';
import { median } from './machine.ts';

const RUNS = 5;
const RECORDED_AT_MS = Date.UTC(2026, 0, 15);

interface OneRun {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly resources: number;
  readonly findings: number;
}

export interface LargeRunFigures {
  readonly run10000Seconds: number;
  readonly run10000CpuSeconds: number;
  readonly run10000PeakMb: number;
}

const runOnce = async (estate: string): Promise<OneRun> => {
  const script = join(import.meta.dirname, 'measure-run.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...SERVICE_FLAGS, script, estate, String(RECORDED_AT_MS)],
    { env: SERVICE_ENV },
  );
  const run = JSON.parse(stdout) as OneRun;
  // The estate, and patrold's own resource of the source.
  if (run.resources !== RESOURCES + 1 || run.findings !== FAULTS)
    throw new Error(`the run saw ${run.resources} resources and filed ${run.findings} findings`);
  return run;
};

export const measureLargeRun = async (): Promise<LargeRunFigures> => {
  const estate = mkdtempSync(join(tmpdir(), 'patrold-estate-'));
  try {
    writeEstate(estate, RECORDED_AT_MS);
    const runs: OneRun[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await runOnce(estate));
    return {
      run10000Seconds: median(runs.map(({ seconds }) => seconds)),
      run10000CpuSeconds: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
      run10000PeakMb: median(runs.map(({ peakBytes }) => peakBytes)) / 1e6,
    };
  } finally {
    rmSync(estate, { recursive: true });
  }
};
