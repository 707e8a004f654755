/** Reads what iputils' `ping` prints. Pure. */
import { cleanText } from '../../runtime/text.ts';
import type { ProbeOutcome } from './outcome.ts';
import { answered, notAnswered, unknown } from './outcome.ts';

/** `3 packets transmitted, 2 received, +1 errors, 33.3333% packet loss, time 2003ms` */
const STATISTICS = /^(\d+) packets transmitted, (\d+) (?:packets )?received/m;
/** `rtt min/avg/max/mdev = 0.025/0.033/0.041/0.008 ms` */
const ROUND_TRIP = /^(?:rtt|round-trip) [a-z/]+ = [\d.]+\/([\d.]+)\//m;
/** `From 192.0.2.1 icmp_seq=1 Destination Host Unreachable`: what a router, or this machine itself, answered instead. */
const INSTEAD = /^From (\S+)(?: \(\S+\))? icmp_seq=\d+ (.+)$/m;

const NO_ROUTE =
  /network is unreachable|no route to host|address family not supported|cannot assign requested address/i;
const NOT_PERMITTED = /operation not permitted|permission denied|lacking privilege|missing cap_net_raw/i;
const UNKNOWN_NAME = /name or service not known|no address associated|unknown host/i;
const NO_RESOLVER = /temporary failure in name resolution|non-recoverable failure in name resolution|system error/i;

const MAX_QUOTE_LENGTH = 160;

/** Of a `ping` that ran to its end. */
export const readPing = (host: string, stdout: string, stderr: string): ProbeOutcome => {
  const [, sent, received] = STATISTICS.exec(stdout) ?? [];
  if (received !== undefined && Number(received) > 0) return answered(roundTripMs(stdout));
  const own = ownFailure(host, stderr);
  if (own !== null) return own;
  if (UNKNOWN_NAME.test(stderr)) return notAnswered(`${host} is a name that DNS does not know`);
  if (sent === undefined || Number(sent) === 0) {
    const said = cleanText(stderr || stdout, MAX_QUOTE_LENGTH);
    return unknown('malformed', `ping said nothing that can be understood about ${host}: ${said || 'no output'}`);
  }
  const [, router, what] = INSTEAD.exec(stdout) ?? [];
  const instead = router === undefined ? '' : `; ${cleanText(`${router} says: ${what}`, MAX_QUOTE_LENGTH)}`;
  return notAnswered(`${host} did not answer ${sent} pings${instead}`);
};

/** This machine could not ask. */
const ownFailure = (host: string, stderr: string): ProbeOutcome | null => {
  if (NO_ROUTE.test(stderr)) return unknown('unreachable', `there is no route to ${host} from this machine`, true);
  if (NO_RESOLVER.test(stderr))
    return unknown('unreachable', `${host} could not be resolved: DNS gave no answer`, true);
  if (NOT_PERMITTED.test(stderr)) {
    const remedy =
      'allow it with the capability CAP_NET_RAW or the sysctl net.ipv4.ping_group_range, and look at the firewall';
    return unknown('not_permitted', `ping may not be used by the user that patrold runs as: ${remedy}`);
  }
  return null;
};

const roundTripMs = (stdout: string): number | null => {
  const average = Number(ROUND_TRIP.exec(stdout)?.[1]);
  return Number.isFinite(average) ? average : null;
};
