/** Where suppression rules are made and removed, together with what they do to the findings they cover. */
import type { ResourceId } from '../../signals/resource.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import type { NewId } from '../../src/runtime/ids.ts';
import type { RuleEvent } from '../event.ts';
import { operator } from '../history-entry.ts';
import { storedKey } from '../identity.ts';
import { type Suppression, type SuppressionMatch, suppresses } from '../suppression.ts';
import { ofRequest, type RequestContext } from './context.ts';
import type { FindingIds } from './finding-ids.ts';
import type { FindingWriter } from './finding-writer.ts';
import { keptText, keptTextOrNull, NAME_LENGTH, NOTE_LENGTH } from './kept-text.ts';
import type { RequestLog } from './request-log.ts';
import type { SuppressionTable } from './suppression-table.ts';
import type { InTransaction } from './transaction.ts';
import { present } from './verb-desk.ts';

export interface SuppressionRequest {
  readonly resourceId: ResourceId;
  readonly match: SuppressionMatch;
  readonly by: string;
  readonly reason: string | null;
}

export interface SuppressionDesk {
  /** Silences what it matches, now and later. A rule that is in force already is answered with that rule. */
  suppress(request: SuppressionRequest, context: RequestContext): Suppression;
  /** The rule for a finding's own key, or for its category, on its resource. Throws as verbs do. */
  suppressFinding(
    typed: string,
    request: { readonly scope: 'key' | 'category'; readonly by: string; readonly reason: string | null },
    context: RequestContext,
  ): Suppression;
  /** What it covered is heard again, unless another rule covers it. Throws `suppression_not_found`. */
  removeSuppression(id: string, by: string, context: RequestContext): void;
  suppressions(): readonly Suppression[];
}

export interface SuppressionDeps {
  readonly transact: InTransaction;
  readonly writer: FindingWriter;
  readonly table: SuppressionTable;
  readonly ids: FindingIds;
  readonly requests: RequestLog;
  readonly newId: NewId;
}

export const createSuppressionDesk = ({
  transact,
  writer,
  table,
  ids,
  requests,
  newId,
}: SuppressionDeps): SuppressionDesk => {
  const add = (request: SuppressionRequest, context: RequestContext): string => {
    const match: SuppressionMatch =
      request.match.kind === 'key' ? { kind: 'key', key: storedKey(request.match.key) } : request.match;
    const same = table.all().find((rule) => rule.resourceId === request.resourceId && sameMatch(rule.match, match));
    if (same !== undefined) return same.id;
    const rule: Suppression = {
      id: newId(),
      resourceId: request.resourceId,
      match,
      by: keptText(request.by, NAME_LENGTH),
      reason: keptTextOrNull(request.reason, NOTE_LENGTH),
      createdAtMs: context.nowMs,
    };
    table.insert(rule);
    for (const finding of writer.table.onResource(rule.resourceId)) {
      if (suppresses(rule, finding)) writer.apply(finding.id, suppressedBy(rule), ofRequest(context));
    }
    return rule.id;
  };
  const suppress = (request: SuppressionRequest, context: RequestContext): Suppression => {
    const fingerprint = JSON.stringify(['suppress', request.resourceId, request.match, request.by, request.reason]);
    const id = requests.once(context.requestId ?? null, fingerprint, context.nowMs, () => add(request, context));
    const rule = table.byId(id);
    if (rule === null)
      throw new PatroldError('suppression_not_found', `rule ${id} was made, and has been removed since`);
    return rule;
  };
  const remove = (id: string, by: string, context: RequestContext): string => {
    const name = keptText(by, NAME_LENGTH);
    if (!table.remove(id, name, context.nowMs)) throw notInForce(id);
    const unsuppressed = { kind: 'unsuppressed', suppressionId: id, actor: operator(name) } as const;
    for (const finding of writer.table.underRule(id)) {
      writer.apply(finding.id, unsuppressed, ofRequest(context));
      const other = table.on(finding.resourceId).of(finding);
      if (other !== null) writer.apply(finding.id, suppressedBy(other), ofRequest(context));
    }
    return id;
  };
  return {
    suppress: (request, context) => transact(() => suppress(request, context)),
    suppressFinding: (typed, { scope, by, reason }, context) =>
      transact(() => {
        const { resourceId, key, category } = present(writer, ids.resolve(typed));
        const match: SuppressionMatch = scope === 'key' ? { kind: 'key', key } : { kind: 'category', category };
        return suppress({ resourceId, match, by, reason }, context);
      }),
    removeSuppression: (id, by, context) =>
      transact(() => {
        requests.once(context.requestId ?? null, JSON.stringify(['unsuppress', id, by]), context.nowMs, () =>
          remove(id, by, context),
        );
      }),
    suppressions: () => table.all(),
  };
};

const notInForce = (id: string): PatroldError =>
  new PatroldError('suppression_not_found', `no suppression rule ${JSON.stringify(id.slice(0, 64))} is in force`);

const suppressedBy = ({ id, by, reason }: Suppression): RuleEvent => ({
  kind: 'suppressed',
  suppressionId: id,
  actor: operator(by),
  reason,
});

const sameMatch = (a: SuppressionMatch, b: SuppressionMatch): boolean =>
  a.kind === 'key' ? b.kind === 'key' && a.key === b.key : b.kind === 'category' && a.category === b.category;
