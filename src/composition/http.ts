/** placeholder while the server is being written */
export const startHttp = async (
  ..._args: readonly unknown[]
): Promise<{ readonly address: string; close(): Promise<void> } | null> => null;
