import { expect, it } from 'vitest';
import { guestStatus, resourceStatus } from '../../../src/sources/proxmox-ve/guest-status.ts';

it.each([
  ['running', 'running', null, 'running'],
  ['stopped', 'stopped', null, 'stopped'],
  ['paused', 'paused', 'other', 'paused'],
  ['prelaunch', 'paused', 'other', 'paused'],
  ['suspended', 'paused', 'suspended', 'paused'],
  ['io-error', 'paused', 'io-error', 'failed'],
  ['internal-error', 'paused', 'internal-error', 'failed'],
  ['guest-panicked', 'paused', 'guest-panicked', 'failed'],
  ['unknown', 'unknown', null, 'unknown'],
  ['some-new-word', 'unknown', null, 'unknown'],
  [undefined, 'unknown', null, 'unknown'],
])('takes %s for %s', (word, power, pausedBecause, status) => {
  const told = guestStatus(word);
  expect(told).toEqual({ power, pausedBecause });
  expect(resourceStatus(told)).toBe(status);
});
