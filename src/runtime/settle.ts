/** Waits for work no longer than its signal allows. */

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it is aborted, whatever the work does then: work
 * that ignores its signal is left behind, not waited for.
 */
export const settle = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // The loser of the race must not become an unhandled rejection.
    work.catch(() => undefined);
  }
};
