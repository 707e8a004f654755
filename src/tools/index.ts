/** Every tool that looks, and every tool that files. */
import type { FilingContext } from './filing-context.ts';
import { findResources } from './find-resources.ts';
import { inspectResource } from './inspect-resource.ts';
import { listBackups } from './list-backups.ts';
import { listDisks } from './list-disks.ts';
import { listStorage } from './list-storage.ts';
import { listUnobserved } from './list-unobserved.ts';
import { listWorkloads } from './list-workloads.ts';
import type { LookingContext } from './looking-context.ts';
import { patrolAssessFinding } from './patrol-assess-finding.ts';
import { patrolGetFindings } from './patrol-get-findings.ts';
import { patrolReportFinding } from './patrol-report-finding.ts';
import { patrolResolveFinding } from './patrol-resolve-finding.ts';
import { readHistory } from './read-history.ts';
import { readLogs } from './read-logs.ts';
import { readMetrics } from './read-metrics.ts';
import type { Tool } from './tool.ts';

export const lookingTools: readonly Tool<LookingContext>[] = [
  findResources,
  inspectResource,
  readMetrics,
  listStorage,
  listDisks,
  listBackups,
  listWorkloads,
  listUnobserved,
  readLogs,
  readHistory,
  patrolGetFindings,
];

export const filingTools: readonly Tool<FilingContext>[] = [
  patrolReportFinding,
  patrolAssessFinding,
  patrolResolveFinding,
];
