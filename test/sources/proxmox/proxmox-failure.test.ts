import { expect, it } from 'vitest';
import { fromStatus, missingPrivilegeIn } from '../../../src/sources/proxmox/proxmox-failure.ts';

const ORIGIN = 'https://pve.example:8006';

it.each([
  ['Permission check failed (/, Sys.Audit)', { path: '/', privileges: ['Sys.Audit'] }],
  [
    'Permission check failed (/storage/local, Datastore.Audit|Datastore.AllocateSpace)',
    { path: '/storage/local', privileges: ['Datastore.Audit', 'Datastore.AllocateSpace'] },
  ],
  [
    'permission check failed - missing Datastore.Audit on /datastore/store1',
    { path: '/datastore/store1', privileges: ['Datastore.Audit'] },
  ],
  ['permission check failed', null],
  ['Permission check failed (user != root@pam)', null],
])('finds the missing privilege in: %s', (said, missing) => {
  expect(missingPrivilegeIn(said)).toEqual(missing);
});

it('takes the reason from the status line, or from the body where that has one', () => {
  const byPhrase = fromStatus(ORIGIN, '/cluster/backup', {
    status: 403,
    reasonPhrase: 'Permission check failed (/, Sys.Audit)',
    body: '{"data":null}',
  });
  expect(byPhrase.reason).toContain('the privilege Sys.Audit on / is missing');
  const byBody = fromStatus(ORIGIN, '/cluster/backup', {
    status: 403,
    reasonPhrase: 'Forbidden',
    body: '{"message":"Permission check failed (/, Sys.Audit)\\n","data":null}',
  });
  expect(byBody.missing).toEqual({ path: '/', privileges: ['Sys.Audit'] });
});

it.each([
  [401, 'failed', true],
  [403, 'failed', false],
  [302, 'failed', true],
  [404, 'not_supported', false],
  [501, 'not_supported', false],
  [500, 'failed', false],
  [595, 'unreachable', false],
  [596, 'unreachable', false],
  [599, 'timed_out', false],
])('tells what status %i means', (status, code, broken) => {
  const failure = fromStatus(ORIGIN, '/x', { status, reasonPhrase: 'Connection refused', body: '' });
  expect(failure).toMatchObject({ code, broken, status });
});

it('shows neither a page nor a secret of an answer', () => {
  const page = fromStatus(ORIGIN, '/x', { status: 500, reasonPhrase: '', body: '<html>secret page</html>' });
  expect(page.reason).not.toContain('html');
  const body = '{"errors":{"node":"value does not look like a node\\u001b[31m"},"data":null}';
  const bad = fromStatus(ORIGIN, '/x', { status: 400, reasonPhrase: 'Parameter verification failed.', body });
  expect(bad.reason).toContain('node: value does not look like a node');
  expect(bad.reason).not.toContain('\u001b');
});
