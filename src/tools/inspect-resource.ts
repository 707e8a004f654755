import { z } from 'zod';
import type { Finding } from '../../findings/finding.ts';
import { LARGEST_PAGE } from '../../findings/page.ts';
import type { Resource } from '../../signals/resource.ts';
import { shortId } from '../runtime/ids.ts';
import { answerList, type Row } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resolveResource, resourceInput } from './named-resource.ts';
import { showReading } from './showing/show-reading.ts';
import { facts } from './showing/shown-facts.ts';
import { shownText } from './showing/shown-text.ts';
import { defineTool } from './tool.ts';
import { unseenOf } from './unseen.ts';

const input = z.strictObject({ resource: resourceInput, cursor: cursorInput });

const aboutRow = ({ resources }: LookingContext, resource: Resource): Row => {
  const below = resources.all.filter(({ parentId }) => parentId === resource.id);
  const kinds = Map.groupBy(below, ({ kind }) => kind);
  return {
    named: ['about', null],
    told: [
      facts({
        id: resources.shown(resource.id),
        kind: resource.kind,
        name: resource.name,
        status: resource.status,
        seenInThisRun: resource.presence === 'observed',
        under: resource.parentId === null ? undefined : resources.shown(resource.parentId),
        sources: [...resource.sourceIds],
        tags: resource.tags.length === 0 ? undefined : [...resource.tags],
        facts: facts(resource.facts),
        directlyBelow: Object.fromEntries([...kinds].map(([kind, list]) => [kind, list.length])),
      }),
    ],
  };
};

const findingRow = ({ id, severity, key, title, detector }: Finding): Row => ({
  named: ['known finding', shortId(id)],
  told: [facts({ severity, key, title, ruledBy: detector ?? undefined })],
});

export const inspectResource = defineTool<LookingContext, z.output<typeof input>>({
  name: 'inspect_resource',
  effect: 'resolve',
  description:
    'Everything about one resource: what it is, each reading of this run with its evidence id, what was not observed and why, known findings.',
  input,
  timeoutMs: 5_000,
  run: async (asked, context) => {
    const { resources, ledger, nowMs } = context;
    const found = resolveResource(resources, asked.resource);
    if (!found.ok) return found.failure;
    const { resource } = found;
    const readings = ledger.world.readingsOf(resource.id);
    const unseen = unseenOf(ledger, resource, null);
    const known = context.findings.list({ resourceId: resource.id, limit: LARGEST_PAGE }).findings;
    return answerList(context, {
      tool: 'inspect_resource',
      asked,
      summary: `${readings.length} readings, ${unseen.length} kinds not observed, ${known.length} active findings.`,
      columns: ['what', 'id', 'facts'],
      touched: [resource.id],
      rows: [
        () => aboutRow(context, resource),
        ...readings.map(
          (reading) => (): Row => ({
            named: [reading.kind, reading.id],
            told: [showReading(reading, nowMs)],
            evidence: [reading.id],
          }),
        ),
        ...unseen.map(
          ({ kind, code, reason }) =>
            (): Row => ({
              named: [kind, null],
              told: [{ notObserved: code, reason: shownText(reason, 240) }],
            }),
        ),
        ...known.map((finding) => () => findingRow(finding)),
      ],
    });
  },
});
