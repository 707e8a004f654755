/** Disks and pools of the machine. */
import { readSlowPart } from '../../proxmox/slow-part.ts';
import { diskPart } from '../disk-part.ts';
import { HOST_REF, type PbsArea } from '../world.ts';
import { zfsPart } from '../zfs-part.ts';

export const disksArea: PbsArea = {
  name: 'disks',
  read: async (world) => {
    const { out, rights, server } = world;
    // Without the right to it there is nothing to ask for; that is told once, of all rights together.
    if (!rights.has('/system/disks', 'Sys.Audit')) return;
    const place = { name: server.name, ref: HOST_REF, online: true };
    if (await readSlowPart(world, diskPart, place)) out.list('disk', HOST_REF);
    if (await readSlowPart(world, zfsPart, place)) out.list('pool', HOST_REF);
  },
};
