/** Of several readings of one thing the newest counts: a run may read a thing twice. */
interface Taken {
  readonly takenAtMs: number;
}

export const newest = <R extends Taken>(readings: readonly R[]): R | undefined => {
  let found = readings[0];
  for (const reading of readings) {
    if (found === undefined || reading.takenAtMs > found.takenAtMs) found = reading;
  }
  return found;
};

/** The newest of each subject, in the order in which subjects first come. */
export const newestBy = <R extends Taken>(
  readings: readonly R[],
  subjectOf: (reading: R) => string,
): ReadonlyMap<string, R> => {
  const bySubject = new Map<string, R>();
  for (const reading of readings) {
    const subject = subjectOf(reading);
    const known = bySubject.get(subject);
    if (known === undefined || reading.takenAtMs > known.takenAtMs) bySubject.set(subject, reading);
  }
  return bySubject;
};
