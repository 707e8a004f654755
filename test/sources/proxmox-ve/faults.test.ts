/** One answer at a time goes wrong, in every way: nothing may be raised by it, and nothing that was raised resolved. */
import { describe, expect, it } from 'vitest';
import { type AnswerTable, Refusal } from '../../support/proxmox-answers.ts';
import { archive, clusterAnswers, guestAnswers, lastNight } from '../../support/proxmox-ve-cluster.ts';
import { AUDITOR, ataSmart, NOW_MS, type Row, resources, vm } from '../../support/proxmox-ve-rows.ts';
import { startCluster } from '../../support/proxmox-ve-survey.ts';

const NOW_S = NOW_MS / 1000;
const DAY_S = 86_400;
const UPID = 'UPID:pve1:0000C530:001C9BEC:69AF6C10:vzdump::root@pam:';

const failing = (ataSmart()['attributes'] as Row[]).map((one) => (one['id'] === '197' ? { ...one, raw: '64' } : one));

/** Something is wrong in each area. */
const sick = (more: AnswerTable = {}): AnswerTable => ({
  ...clusterAnswers(),
  ...guestAnswers('/nodes/pve1/qemu/101'),
  '/access/permissions': { '/': { ...AUDITOR, 'Datastore.AllocateSpace': 1, 'VM.Backup': 1 } },
  '/cluster/resources': [...resources().filter(({ vmid }) => vmid !== 101), vm(101, { status: 'io-error' })],
  '/nodes/pve1/disks/smart?disk=%2Fdev%2Fsda': ataSmart({ attributes: failing }),
  '/nodes/pve1/qemu/100/snapshot': [{ name: 'old', snaptime: NOW_S - 40 * DAY_S }, { name: 'current' }],
  '/nodes/pve1/tasks': [
    {
      upid: UPID,
      node: 'pve1',
      type: 'vzdump',
      id: '',
      user: 'root@pam',
      starttime: NOW_S - 43_200,
      endtime: NOW_S - 40_000,
      status: 'job errors',
    },
  ],
  [`/nodes/pve1/tasks/${encodeURIComponent(UPID)}/log`]: [
    { n: 1, t: 'INFO: starting new backup job: vzdump --storage nas --all 1' },
    { n: 2, t: 'INFO: Starting Backup of VM 100 (qemu)' },
    { n: 3, t: 'ERROR: Backup of VM 100 failed - no space' },
  ],
  '/nodes/pve1/storage/nas/content': [...lastNight.filter(({ vmid }) => vmid !== 100), archive(100, 36)],
  '/cluster/replication': [{ id: '100-0', type: 'local', guest: 100, target: 'pve2', schedule: '*/15' }],
  '/nodes/pve1/replication': [
    { id: '100-0', guest: 100, last_sync: NOW_S - 600, last_try: NOW_S - 60, fail_count: 3, error: 'timeout' },
  ],
  '/cluster/ceph/status': {
    health: { status: 'HEALTH_ERR', checks: { OSD_DOWN: { severity: 'HEALTH_ERR', summary: { message: 'x' } } } },
  },
  ...more,
});

const FAULTS: readonly (readonly [string, unknown])[] = [
  ['slow', new Refusal('timeout')],
  ['cut off', new Refusal('half')],
  ['401', new Refusal(401, 'invalid token value!')],
  ['403', new Refusal(403, 'Permission check failed (/, Sys.Audit)')],
  ['500', new Refusal(500, 'got timeout')],
  ['595', new Refusal(595, 'No route to host')],
  ['an empty list', []],
  ['null', null],
  ['nonsense', [{ nonsense: true }, 7, null]],
];

const WATCHED = /guest_|backup_|smart_|snapshot_|replication_|zfs_|ceph_|thin_|ha_error|quorum_/;
const start = async () => {
  const cluster = startCluster(sick());
  await cluster.look();
  for (let look = 0; look < 2; look += 1) {
    await cluster.clock.advance(300_000);
    await cluster.look();
  }
  return { ...cluster, baseline: await cluster.look() };
};

const paths = async (): Promise<readonly string[]> => {
  const { look, transport } = startCluster(sick());
  await look();
  return [...new Set(transport.asked)];
};

describe('one answer that goes wrong', async () => {
  it('finds something wrong in each area to begin with', async () => {
    const { baseline } = await start();
    const raised = Object.entries(baseline.states)
      .filter(([, state]) => state.startsWith('raised'))
      .map(([key]) => key.split(' ').find((word) => word.includes('_')));
    for (const type of ['guest_stalled', 'smart_failure', 'backup_failed:nas', 'replication_failed:100-0'])
      expect(raised).toContain(type);
  });

  it.each(await paths())(
    '%s: raises nothing and resolves nothing',
    async (path) => {
      for (const [fault, answer] of FAULTS) {
        const { look, transport, baseline, clock } = await start();
        transport.answer(sick({ [path]: answer, [path.replace(/\?.*/, '')]: answer }));
        await clock.advance(60_000);
        let after: Awaited<ReturnType<typeof look>>;
        try {
          after = await look();
        } catch (error) {
          expect(error).toMatchObject({ code: 'source_not_answering' });
          continue;
        }
        for (const [key, state] of Object.entries(after.states)) {
          const before = baseline.states[key];
          if (!WATCHED.test(key)) continue;
          if (before?.startsWith('raised') === true) expect(`${fault}: ${key} ${state}`).not.toMatch(/ clear$/);
          else expect(`${fault}: ${key} ${state} (${before})`).not.toMatch(/ raised/);
        }
      }
    },
    60_000,
  );
});
