/** What of the process the composition root hands on. */
export interface ProcessPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly interrupted: AbortSignal;
  readonly onReload: (reload: () => void) => void;
  readonly isRoot: boolean;
  readonly pid: number;
  readonly version: string;
}
