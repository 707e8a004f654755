/** Every bound of the docker source; hitting one is a gap that names it. */
export const dockerLimits = {
  /** Containers of one engine that are looked at; the largest single hosts people describe run some hundreds. */
  containers: 2_000,
  /** Containers whose last inspection is kept, so that their state stays below the 1 MiB that a state key may hold. */
  keptInspections: 500,
  /** Questions to the engine at once. */
  concurrentReads: 8,
  /** One question; an engine that holds a container's lock (a probe in a paused container) answers nothing for 30 s. */
  requestMs: 10_000,
  /** After this share of the survey's time no further container is asked for. */
  detailsShare: 0.8,
  answerBytes: 32 * 1024 * 1024,
  /** Events read in one answer; Docker keeps 256 (moby, daemon/events/events.go), Podman as many as its journal. */
  events: 5_000,
  nameLength: 128,
  factLength: 200,
  reasonLength: 300,
  probeOutputLength: 500,
  tags: 16,
  tagLength: 64,
  malformedNamed: 3,
} as const;
