/** Guest agents: whether they answer, and which addresses they tell. One by one, so a few in each survey. */
import { z } from 'zod';
import { cleanText } from '../../../runtime/text.ts';
import { text } from '../../proxmox/answer-fields.ts';
import { isDue } from '../../proxmox/due.ts';
import type { ProxmoxFailure } from '../../proxmox/proxmox-failure.ts';
import { apiPath } from '../../proxmox/proxmox-reader.ts';
import type { VeGuest } from '../estate.ts';
import { keepGuests, type RememberedGuest, recallGuests } from '../guest-memory.ts';
import { guestStatus } from '../guest-status.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import type { VeArea, VeWorld } from '../world.ts';

const interfacesSchema = z.looseObject({
  result: z.array(
    z.looseObject({
      name: text,
      'ip-addresses': z
        .array(z.looseObject({ 'ip-address': text }))
        .optional()
        .catch(undefined),
    }),
  ),
});

const ADDRESSES = 4;

export const agentsArea: VeArea = {
  name: 'agents',
  read: async (world) => {
    const { config, estate, out, state } = world;
    if (!config.agent) return;
    const memory = new Map(recallGuests(state));
    const running = estate.guests.filter(
      ({ kind, isTemplate, node, stats, vmid }) =>
        kind === 'vm' &&
        !isTemplate &&
        node?.online !== false &&
        guestStatus(stats.status).power === 'running' &&
        memory.get(vmid)?.a === 1,
    );
    const inTurn = new Set(chooseAgents(world, running, memory));
    await Promise.all(
      running.map(async (guest) => {
        const known = memory.get(guest.vmid);
        if (known === undefined) return;
        if (inTurn.has(guest)) memory.set(guest.vmid, { ...known, ...(await askAgent(world, guest, known)) });
        else if (known.g === 1) leave(world, guest);
        const addresses = memory.get(guest.vmid)?.ip;
        if (addresses !== undefined && addresses.length > 0) out.facts(guest.ref, { addresses: addresses.join(' ') });
      }),
    );
    keepGuests(state, memory, new Set(estate.guests.map(({ vmid }) => vmid)));
  },
};

/** Those that did not answer lately first, then those that were not asked for longest. */
const chooseAgents = (
  world: VeWorld,
  running: readonly VeGuest[],
  memory: ReadonlyMap<string, RememberedGuest>,
): readonly VeGuest[] => {
  const most = isDue(world, 'hourly') ? proxmoxVeLimits.agentsPerPatrol : proxmoxVeLimits.agentsPerWatch;
  const rank = ({ vmid }: VeGuest): number => {
    const known = memory.get(vmid);
    return known?.f === 1 ? -1 : (known?.ag ?? 0);
  };
  return running.toSorted((a, b) => rank(a) - rank(b)).slice(0, most);
};

const leave = ({ out }: VeWorld, { ref }: VeGuest): void => {
  out.expect(ref, 'probe');
  out.gap({ ref, reads: ['probe'], code: 'not_due', reason: 'guest agents are asked in turns' });
};

type Asked = Pick<RememberedGuest, 'g' | 'f' | 'ag' | 'ip'>;

const askAgent = async (world: VeWorld, guest: VeGuest, known: RememberedGuest): Promise<Asked> => {
  const { ask, clock, out } = world;
  const begun = clock.nowMs();
  const path = apiPath('nodes', guest.stats.node, 'qemu', guest.vmid, 'agent', 'network-get-interfaces');
  const read = await ask.get(path, interfacesSchema);
  const nowMs = clock.nowMs();
  const at = { ag: Math.round(nowMs / 1000) };
  const base = { kind: 'probe', check: 'guest agent', probe: 'agent' } as const;
  if (read.ok) {
    out.read(guest.ref, { ...base, answered: true, reason: null, latencyMs: Math.max(0, nowMs - begun) }, nowMs);
    return { ...at, g: 1, f: 0, ip: addressesOf(read.value) };
  }
  const { failure } = read;
  if (isSilent(failure) && known.g === 1) {
    const reason = cleanText(failure.reason, proxmoxVeLimits.reasonLength);
    out.read(guest.ref, { ...base, answered: false, reason, latencyMs: null }, nowMs);
    return { ...at, f: 1 };
  }
  out.expect(guest.ref, 'probe');
  // One that never answered is likely not installed, and a right that is missing was left out on purpose.
  const code = failure.status === 403 ? 'not_permitted' : isSilent(failure) ? 'not_answering' : failure.code;
  out.gap({ ref: guest.ref, reads: ['probe'], code, reason: failure.reason });
  return at;
};

/** Proxmox answers 500 when the agent does not. */
const isSilent = ({ status, reason }: ProxmoxFailure): boolean =>
  status === 500 && /agent is not running|got timeout|guest-ping/i.test(reason);

const addressesOf = ({ result }: z.infer<typeof interfacesSchema>): string[] =>
  result
    .filter(({ name = '' }) => name !== 'lo')
    .flatMap((one) => (one['ip-addresses'] ?? []).flatMap((entry) => entry['ip-address'] ?? []))
    .filter((address) => !/^(?:127\.|::1$|fe80:|169\.254\.)/i.test(address))
    .slice(0, ADDRESSES)
    .map((address) => cleanText(address, 64));
