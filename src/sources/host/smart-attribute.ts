/** One ATA attribute with its counter unpacked. */
import type { SmartAttribute } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { attributeSchema, type JsonAttribute } from './smart-schema.ts';

const ATTRIBUTES = 64;
/** Seagate packs three counters of 16 bits into it: all timeouts, those over 5 s, those over 7.5 s. */
const COMMAND_TIMEOUT = 188;
const UNPACKED_BELOW = 2 ** 32;

/**
 * The counter as smartctl prints it: `2725 (151 234 0)`, `26 (Min/Max 25/32)`, `12523h+17m` and `12/3405` begin with it;
 * words in a row (`0 0 12`) are printed highest first, so the counter is the last one.
 */
export const attributeCount = ({ id, raw }: Pick<JsonAttribute, 'id' | 'raw'>): number => {
  const printed = raw.string.trim();
  if (/^0x[0-9a-f]+$/i.test(printed)) return Number(printed);
  const words = /^\d+(?: \d+)+$/.test(printed) ? printed.split(' ') : null;
  const [leading] = /^-?\d+/.exec(printed) ?? [];
  const count = Number(words?.at(-1) ?? leading ?? raw.value);
  return id === COMMAND_TIMEOUT && count >= UNPACKED_BELOW ? count % 2 ** 16 : count;
};

const whenFailed = (said: string | undefined): SmartAttribute['whenFailed'] =>
  said === 'now' || said === 'past' ? said : 'never';

/** Entries that are none are left out. */
export const smartAttributes = (table: readonly unknown[]): readonly SmartAttribute[] =>
  table.slice(0, ATTRIBUTES).flatMap((entry) => {
    const attribute = attributeSchema.safeParse(entry).data;
    if (attribute === undefined) return [];
    const count = attributeCount(attribute);
    if (!Number.isFinite(count)) return [];
    return [
      {
        id: attribute.id,
        name: cleanText(attribute.name, 64),
        value: attribute.value ?? null,
        worst: attribute.worst ?? null,
        threshold: attribute.thresh ?? null,
        prefail: attribute.flags?.prefailure ?? false,
        count,
        whenFailed: whenFailed(attribute.when_failed),
      },
    ];
  });
