/** What the HA manager has of each service. */
import { z } from 'zod';
import type { GuestHa } from '../../../signals/readings/guest.ts';
import { cleanText } from '../../runtime/text.ts';
import { text } from '../proxmox/answer-fields.ts';
import type { ProxmoxRead } from '../proxmox/proxmox-failure.ts';
import type { VeGuest } from './estate.ts';
import type { VeWorld } from './world.ts';

const statusItem = z.looseObject({
  type: z.string(),
  sid: text,
  state: text,
  crm_state: text,
  request_state: text,
});

export type HaServices = ReadonlyMap<string, GuestHa>;
const NONE: HaServices = new Map();
const WORD_LENGTH = 64;

/** `vm:100`, `ct:101`. */
export const serviceId = ({ kind, vmid }: Pick<VeGuest, 'kind' | 'vmid'>): string =>
  `${kind === 'vm' ? 'vm' : 'ct'}:${vmid}`;

/** Not asked where no guest is managed. */
export const readHaServices = async ({ ask, estate }: VeWorld): Promise<ProxmoxRead<HaServices>> => {
  if (!estate.guests.some(({ stats }) => stats.hastate !== undefined)) return { ok: true, value: NONE };
  const read = await ask.list('/cluster/ha/status/current', statusItem);
  if (!read.ok) return read;
  const services = read.value.items.flatMap(({ type, sid, state, crm_state: crmState, request_state: requested }) => {
    const word = crmState ?? state;
    if (type !== 'service' || sid === undefined || word === undefined) return [];
    const ha: GuestHa = {
      state: cleanText(word, WORD_LENGTH),
      requested: requested === undefined ? null : cleanText(requested, WORD_LENGTH),
    };
    return [[sid, ha] as const];
  });
  return { ok: true, value: new Map(services) };
};
