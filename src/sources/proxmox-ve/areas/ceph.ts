/** Ceph's own word on its health, with the checks by name. */
import { z } from 'zod';
import { cleanText } from '../../../runtime/text.ts';
import { flag, text } from '../../proxmox/answer-fields.ts';
import { isDue } from '../../proxmox/due.ts';
import { rootRef } from '../estate.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import type { VeArea, VeWorld } from '../world.ts';

const severity = z.enum(['HEALTH_WARN', 'HEALTH_ERR']);
const checkSchema = z.looseObject({
  severity,
  summary: z.looseObject({ message: text }).optional().catch(undefined),
  muted: flag,
});
const statusSchema = z.looseObject({
  health: z.looseObject({
    status: z.enum(['HEALTH_OK', 'HEALTH_WARN', 'HEALTH_ERR']),
    checks: z.record(z.string(), checkSchema).optional().catch(undefined),
    mutes: z
      .array(z.looseObject({ code: text }))
      .optional()
      .catch(undefined),
  }),
});

const STATE_KEY = 'has-ceph';
const PATH = '/cluster/ceph/status';

/** Storages that are Ceph's; it may run without any, so that a patrol asks everywhere. */
const usesCeph = ({ estate }: VeWorld): boolean =>
  estate.storages.some(({ plugin }) => plugin === 'rbd' || plugin === 'cephfs');

export const cephArea: VeArea = {
  name: 'ceph',
  read: async (world) => {
    const { ask, clock, estate, out, state } = world;
    const root = rootRef(estate);
    const isKnown = state.get(STATE_KEY) === true;
    if (root === null || (!isKnown && !isDue(world, 'hourly'))) return;
    if (isKnown) out.expect(root, 'ceph');
    const read = await ask.get(PATH, statusSchema);
    if (!read.ok) {
      // Where it was never seen, and nothing is stored on it, an error means that there is none.
      if (isKnown || (usesCeph(world) && read.failure.status === 403)) {
        out.gap({ ref: root, reads: ['ceph'], code: read.failure.code, reason: read.failure.reason });
      }
      return;
    }
    state.set(STATE_KEY, true);
    const { status, checks = {}, mutes = [] } = read.value.health;
    const muted = new Set(mutes.map(({ code }) => code));
    out.read(
      root,
      {
        kind: 'ceph',
        health: status,
        checks: Object.entries(checks).map(([name, check]) => ({
          name: cleanText(name, 64),
          severity: check.severity,
          summary: cleanText(check.summary?.message ?? '', proxmoxVeLimits.reasonLength),
          muted: check.muted === true || muted.has(name),
        })),
      },
      clock.nowMs(),
    );
  },
};
