/** Requests that were carried out. A client that repeats one, with the same id, gets the same answer and changes nothing. */
import type { Database } from '../../src/runtime/database.ts';
import { eq, lt } from '../../src/runtime/drizzle.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import { findingRequests } from '../schema.ts';
import { named, parameters } from './columns.ts';

export interface RequestLog {
  /**
   * Runs `change` unless the request was carried out before; answers with the id that its answer is about. The caller
   * holds the transaction, so that a request is carried out and noted, or neither. Throws `request_id_reused`.
   */
  once(requestId: string | null, fingerprint: string, nowMs: number, change: () => string): string;
  forgetBefore(beforeMs: number): void;
}

const MAX_ID_LENGTH = 200;

export const createRequestLog = ({ orm, prepare }: Database): RequestLog => {
  const find = prepare(
    orm
      .select()
      .from(findingRequests)
      .where(eq(findingRequests.id, named('id'))),
  );
  const insert = prepare(orm.insert(findingRequests).values(parameters(findingRequests)));
  const forget = prepare(orm.delete(findingRequests).where(lt(findingRequests.atMs, named('beforeMs'))));
  return {
    once: (id, fingerprint, nowMs, change) => {
      if (id === null) return change();
      if (id === '' || id.length > MAX_ID_LENGTH) {
        throw new PatroldError('invalid_finding_request', `a request id has 1 to ${MAX_ID_LENGTH} characters`);
      }
      const done = find.get({ id }) as { readonly fingerprint: string; readonly subject_id: string } | undefined;
      if (done === undefined) {
        const subjectId = change();
        insert.run({ id, fingerprint, subjectId, atMs: nowMs });
        return subjectId;
      }
      if (done.fingerprint === fingerprint) return done.subject_id;
      throw new PatroldError('request_id_reused', `request ${id} was something else before: ${done.fingerprint}`);
    },
    forgetBefore: (beforeMs) => {
      forget.run({ beforeMs });
    },
  };
};
