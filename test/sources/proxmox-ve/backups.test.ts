import { describe, expect, it } from 'vitest';
import { type AnswerTable, Refusal } from '../../support/proxmox-answers.ts';
import { archive, clusterAnswers, lastNight, nightly } from '../../support/proxmox-ve-cluster.ts';
import { AUDITOR, NOW_MS, type Row } from '../../support/proxmox-ve-rows.ts';
import { startCluster, WATCH } from '../../support/proxmox-ve-survey.ts';

const HOUR_S = 3_600;
const NOW_S = NOW_MS / 1000;

const MAKER = { ...AUDITOR, 'Datastore.AllocateSpace': 1, 'VM.Backup': 1 };

const answers = (more: AnswerTable = {}): AnswerTable => ({
  ...clusterAnswers(),
  '/access/permissions': { '/': MAKER },
  ...more,
});

const statesOf = async (table: AnswerTable) => {
  const { states } = await startCluster(table).look();
  return Object.fromEntries(Object.entries(states).filter(([key]) => /backup_(?:failed|stale)/.test(key)));
};

const UPID = 'UPID:pve1:0000C530:001C9BEC:69AF6C10:vzdump::root@pam:';
const failedTask = (more: Row = {}): Row => ({
  upid: UPID,
  node: 'pve1',
  type: 'vzdump',
  id: '',
  user: 'root@pam',
  pid: 1,
  pstart: 1,
  starttime: NOW_S - 12 * HOUR_S,
  endtime: NOW_S - 11 * HOUR_S,
  status: 'job errors',
  ...more,
});
const log = [
  'INFO: starting new backup job: vzdump --storage nas --all 1 --mode snapshot --quiet 1',
  'INFO: Starting Backup of VM 100 (qemu)',
  'ERROR: Backup of VM 100 failed - job failed with err -5 - Input/output error',
  'INFO: Starting Backup of VM 101 (qemu)',
  'INFO: Finished Backup of VM 101 (00:01:02)',
  'INFO: Backup job finished with errors',
].map((t, index) => ({ n: index + 1, t }));
const withFailure = (more: AnswerTable = {}): AnswerTable =>
  answers({
    '/nodes/pve1/tasks': [failedTask()],
    [`/nodes/pve1/tasks/${encodeURIComponent(UPID)}/log`]: log,
    '/nodes/pve1/storage/nas/content': lastNight.filter(
      ({ vmid, ctime }) => vmid !== 100 || Number(ctime) < NOW_S - 30 * HOUR_S,
    ),
    ...more,
  });

describe('backups of guests', () => {
  it('are clear where last night left an archive of each, and the template needs none', async () => {
    expect(await statesOf(answers())).toEqual({
      'vm100 backup_failed:nas': 'clear',
      'vm100 backup_stale': 'clear',
      'vm100 backup_stale:nas': 'clear',
      'vm101 backup_failed:nas': 'clear',
      'vm101 backup_stale': 'clear',
      'vm101 backup_stale:nas': 'clear',
      'ct200 backup_failed:nas': 'clear',
      'ct200 backup_stale': 'clear',
      'ct200 backup_stale:nas': 'clear',
    });
  });

  it('have failed for the guest whose backup the task could not make, and for no other', async () => {
    const states = await statesOf(withFailure());
    expect(states).toMatchObject({ 'vm100 backup_failed:nas': 'raised:warning', 'vm101 backup_failed:nas': 'clear' });
  });

  it('are well again after a later backup by hand', async () => {
    const states = await statesOf(withFailure({ '/nodes/pve1/storage/nas/content': [...lastNight, archive(100, 2)] }));
    expect(states['vm100 backup_failed:nas']).toBe('clear');
  });

  it('stay failed while their node tells nothing of its tasks', async () => {
    const { look, transport } = startCluster(withFailure());
    await look();
    for (const refusal of [
      new Refusal(500, 'got timeout'),
      new Refusal('half'),
      new Refusal(403, 'Permission check failed'),
    ]) {
      transport.answer(withFailure({ '/nodes/pve1/tasks': refusal }));
      expect((await look()).states['vm100 backup_failed:nas']).not.toBe('clear');
    }
  });

  it.each([
    ['a weekly job is not overdue after three days', 'sat 02:00', 82, 'clear'],
    ['a daily job is overdue after two missed nights', '01:00', 60, 'raised:critical'],
    ['a job of every six hours is overdue after nine', '0/6:0', 10, 'raised:warning'],
  ])('%s', async (_title, schedule, hoursAgo, state) => {
    const table = answers({
      '/cluster/backup': [nightly({ schedule })],
      '/nodes/pve1/storage/nas/content': [archive(100, hoursAgo), archive(101, hoursAgo), archive(200, hoursAgo)],
    });
    expect((await statesOf(table))['vm100 backup_stale:nas']).toBe(state);
  });

  it('say of a guest in no enabled job that it is in none, though jobs that are off name it', async () => {
    const table = answers({
      '/cluster/backup': [nightly({ exclude: '101' }), nightly({ id: 'off', enabled: 0, vmid: '101', all: 0 })],
    });
    const states = await statesOf(table);
    expect(states).toMatchObject({ 'vm100 backup_stale': 'clear', 'vm101 backup_stale': 'raised:warning' });
  });

  it('know a job by its pool and by its node', async () => {
    const table = answers({
      '/cluster/backup': [nightly({ id: 'pool', pool: 'media', all: 0 }), nightly({ id: 'node', node: 'pve1' })],
    });
    const { sighting } = await startCluster(table).look();
    const jobs = Object.fromEntries(
      sighting.readings.flatMap((reading) => (reading.kind === 'backup' ? [[reading.ref, reading.job]] : [])),
    );
    expect(jobs).toEqual({ 'guest:100': 'node', 'guest:101': 'node', 'guest:200': 'pool' });
  });

  it('do not count an archive that is still being written', async () => {
    const table = answers({ '/nodes/pve1/storage/nas/content': [...lastNight.slice(1), archive(100, 1, { size: 1 })] });
    const { sighting } = await startCluster(table).look();
    expect(sighting.readings.find(({ kind, ref }) => kind === 'backup' && ref === 'guest:100')).toMatchObject({
      newestGoodAtMs: NOW_MS - 36 * HOUR_S * 1000,
    });
  });

  it('are asked for guest by guest where the token may only audit', async () => {
    const { look, transport } = startCluster(answers({ '/access/permissions': { '/': AUDITOR } }));
    const { sighting } = await look();
    const asked = transport.asked.filter((path) => path.includes('/storage/nas/content'));
    expect(asked.sort()).toEqual(
      [100, 101, 200].map((vmid) => `/nodes/pve1/storage/nas/content?content=backup&vmid=${vmid}`),
    );
    expect(sighting.gaps).toEqual([]);
  });

  it.each([
    ['refused', new Refusal(403, 'Permission check failed (/storage/nas, Datastore.Audit)')],
    ['slow', new Refusal('timeout')],
    ['half', new Refusal('half')],
    ['broken', new Refusal(500, 'mount error')],
    ['empty all at once', []],
  ])('are unobserved, neither raised nor resolved, where the list is %s', async (_how, answer) => {
    const { look, transport } = startCluster(answers());
    await look();
    transport.answer(answers({ '/nodes/pve1/storage/nas/content': answer }));
    const { states } = await look();
    expect(Object.entries(states).filter(([key, state]) => key.includes('backup_') && /raised/.test(state))).toEqual(
      [],
    );
    transport.answer(withFailure());
    expect((await look()).states['vm100 backup_failed:nas']).toBe('raised:warning');
    transport.answer(withFailure({ '/nodes/pve1/storage/nas/content': answer }));
    expect((await look()).states['vm100 backup_failed:nas']).not.toBe('clear');
  });

  it('are left alone where the jobs themselves can not be read', async () => {
    const states = await statesOf(
      answers({ '/cluster/backup': new Refusal(403, 'Permission check failed (/, Sys.Audit)') }),
    );
    expect(Object.values(states).filter((state) => state.startsWith('raised'))).toEqual([]);
  });

  it('are not asked for in a watch', async () => {
    const { look, transport } = startCluster(answers());
    await look();
    const before = transport.asked.length;
    const { states } = await look(WATCH);
    expect(transport.asked.slice(before).filter((path) => /backup|content|tasks\?/.test(path))).toEqual([]);
    expect(Object.keys(states).filter((key) => key.includes('backup_'))).toEqual([]);
  });
});
