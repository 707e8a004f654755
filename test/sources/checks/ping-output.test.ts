import { describe, expect, it } from 'vitest';
import { readPing } from '../../../src/sources/checks/ping-output.ts';

const ANSWERED = `PING ::1(::1) 56 data bytes
64 bytes from ::1: icmp_seq=1 ttl=64 time=0.034 ms

--- ::1 ping statistics ---
3 packets transmitted, 1 received, 66.6667% packet loss, time 2001ms
rtt min/avg/max/mdev = 0.034/0.038/0.043/0.004 ms
`;
const SILENT = `PING 198.51.100.2 (198.51.100.2) 56(84) bytes of data.

--- 198.51.100.2 ping statistics ---
5 packets transmitted, 0 received, 100% packet loss, time 812ms

`;
const UNREACHABLE = `PING 198.51.100.2 (198.51.100.2) 56(84) bytes of data.
From 198.51.100.1 icmp_seq=1 Destination Host Unreachable
From 198.51.100.1 icmp_seq=2 Destination Host Unreachable

--- 198.51.100.2 ping statistics ---
3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 406ms
pipe 3
`;

describe('readPing', () => {
  it('takes one of several packets for an answer, with the mean round trip', () => {
    expect(readPing('::1', ANSWERED, '')).toEqual({ kind: 'answered', latencyMs: 0.038 });
  });

  it('takes silence for no answer', () => {
    expect(readPing('198.51.100.2', SILENT, '')).toEqual({
      kind: 'not_answered',
      reason: '198.51.100.2 did not answer 5 pings',
    });
  });

  it('says what a router said instead', () => {
    expect(readPing('198.51.100.2', UNREACHABLE, '')).toEqual({
      kind: 'not_answered',
      reason: '198.51.100.2 did not answer 3 pings; 198.51.100.1 says: Destination Host Unreachable',
    });
  });

  it.each([
    ['ping: connect: Network is unreachable', 'unreachable', true],
    ['ping: sendmsg: Network is unreachable', 'unreachable', true],
    ['ping: nas.example: Temporary failure in name resolution', 'unreachable', true],
    ['ping: socket: Operation not permitted', 'not_permitted', false],
    [
      'ping: socktype: SOCK_RAW\nping: socket: Operation not permitted\nping: => missing cap_net_raw+p capability or setuid?',
      'not_permitted',
      false,
    ],
    ['ping: sendmsg: Operation not permitted', 'not_permitted', false],
    ["ping: invalid option -- 'w'\nBusyBox v1.36 multi-call binary.", 'malformed', false],
    ['', 'malformed', false],
  ] as const)('takes %j for what this side could not do', (stderr, code, local) => {
    expect(readPing('nas.example', '', stderr)).toMatchObject({ kind: 'unknown', code, local });
  });

  it('tells a name that there is not from a resolver that does not answer', () => {
    expect(readPing('nas.example', '', 'ping: nas.example: Name or service not known')).toEqual({
      kind: 'not_answered',
      reason: 'nas.example is a name that DNS does not know',
    });
  });
});
