/** Limits of the client that both Proxmox sources share; hitting one is a failure that names it. */
export const proxmoxLimits = {
  /** Questions at once, over all endpoints. A node's own API has three workers that handle what needs root. */
  questionsAtOnce: 6,
  /** One question: some (the SMART data of a disk, the content of a storage on the network) take their time. */
  questionMs: 25_000,
  /** One that reads a file for each thing that it lists. */
  slowQuestionMs: 120_000,
  /** Of one answer: 200,000 snapshots are about 100 MB. */
  answerBytes: 256 * 1024 * 1024,
  /** How long an endpoint that did not answer is left alone while another one does. */
  avoidEndpointMs: 300_000,
  /** A ticket is good for two hours (PVE, PBS); it is renewed well before. */
  ticketMs: 3_600_000,
  reasonLength: 300,
  /** Items of one list that did not fit and are named. */
  malformedNamed: 3,
} as const;
