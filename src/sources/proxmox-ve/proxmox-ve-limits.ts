/** Limits of one survey of one cluster. Hitting one is a gap. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const proxmoxVeLimits = {
  nodes: 128,
  guests: 20_000,
  storagesPerNode: 100,
  disksPerNode: 128,
  poolsPerNode: 64,
  certificatesPerNode: 8,
  jobs: 200,
  tagsPerGuest: 16,
  tagLength: 64,
  nameLength: 128,
  reasonLength: 300,
  /** Guests and nodes whose statistics look high and whose window is therefore read from their own history. */
  suspectsPerSurvey: 60,
  /** From these shares on use looks high: somewhat below the default limits of 70 % and 80 %. */
  suspectCpuRatio: 0.6,
  suspectMemoryRatio: 0.7,
  /** Guests whose config and snapshots are read in one patrol; the rest has its turn in the next ones. */
  guestDetailsPerSurvey: 200,
  /** Guests that a task has just changed and that are read at once, in a watch. */
  changedPerWatch: 10,
  /** After this long a guest's details are due again. */
  guestDetailsMs: 23 * HOUR_MS,
  /** Guest agents asked in one patrol, and in one watch. */
  agentsPerPatrol: 200,
  agentsPerWatch: 10,
  /** Backups are listed guest by guest, where the token may not list whole storages, up to so many questions. */
  backupListsByGuest: 200,
  /** How far back failed backups are looked for: a job may come once a month. */
  tasksBackMs: 35 * 24 * HOUR_MS,
  tasksPerNode: 500,
  /** Failed backups that are remembered; of one guest and target the newest counts. */
  failedRuns: 2_000,
  taskLogsPerSurvey: 60,
  taskLogLines: 5_000,
  /** Our clock and a node's may differ by so much; by more its times are corrected and the difference is said. */
  clockDifferenceMs: MINUTE_MS,
  /** The step of the newest history. */
  rrdStepMs: MINUTE_MS,
  /** Longest time for which the hourly history holds a point a minute. */
  hourlyHistoryMs: 60 * MINUTE_MS,
} as const;
