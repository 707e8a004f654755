/** What `patrold model check` finds out, one result a question. */
export const CHECK_NAMES = ['reachable', 'model', 'tools', 'context', 'price'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface CheckResult {
  readonly name: CheckName;
  /** `unknown`: it could not be told, which is no failure; `skipped`: an earlier failure left nothing to ask. */
  readonly state: 'ok' | 'failed' | 'unknown' | 'skipped';
  /** What was seen, and where something is wrong, what to change. */
  readonly message: string;
}

export const checked =
  (name: CheckName) =>
  (state: CheckResult['state'], message: string): CheckResult => ({ name, state, message });
