/** The `checks:` section: what answers when it is well. */
import { z } from 'zod';
import { duration } from '../../config/duration.ts';
import { normalizeFingerprint } from '../../runtime/http-tls.ts';
import { createSecret } from '../../runtime/secret.ts';
import { parseHostPort } from './host-port.ts';

/** With {@link CHECKS_AT_ONCE} at a time and ten seconds each, all of them hanging still end within a survey. */
const MAX_CHECKS = 200;
const DEFAULT_TIMEOUT_MS = 10_000;

const MINUTE_MS = 60_000;

/** Ends up in resource ids, subjects and keys of findings. */
const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'use letters, digits, dot, dash and underscore, 63 at most');

const HOST = /^(?!-)[A-Za-z0-9._:%-]{1,253}$/;

const url = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://192.0.2.10/' })
  .max(2_000)
  .refine((text) => !URL.canParse(text) || new URL(text).username === '', 'must not hold a user: use headers');

const status = z.union([z.int().min(100).max(599), z.string().regex(/^[1-5]xx$/, 'must look like 200 or 2xx')]);

const check = z
  .strictObject({
    name: name.describe('What the check is called in findings.'),
    resource: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Id of the resource that it speaks for; without one it is an endpoint of its own.'),
    http: url.optional().describe('Address that must answer over HTTP or HTTPS.'),
    tcp: z
      .string()
      .refine((text) => parseHostPort(text) !== null, 'must look like host:port or [address]:port')
      .optional()
      .describe(
        'host:port that must accept a connection. That proves no more than it says: the proxy of a published Docker port accepts although nothing listens behind it.',
      ),
    icmp: z
      .string()
      .regex(HOST, 'must be a host name or an address')
      .optional()
      .describe('Host that must answer ping.'),
    expectStatus: z
      .union([status, z.array(status).min(1).max(20)])
      .optional()
      .describe(
        'Status, or class such as 2xx, or a list of them; default 2xx. Redirects are never followed, but can be expected.',
      ),
    expectBody: z.string().min(1).max(1_000).optional().describe('Text that the answer must contain.'),
    method: z.enum(['GET', 'HEAD', 'POST']).default('GET'),
    headers: z
      .record(z.string(), z.string().max(8_192).transform(createSecret))
      .default({})
      .describe('Sent only to a server whose certificate is accepted, unless insecure is set.'),
    tls: z.boolean().default(false).describe('For tcp: the port speaks TLS; its certificate is watched too.'),
    caFile: z.string().min(1).max(4_096).optional().describe('CA that signed the certificate.'),
    fingerprint: z
      .string()
      .refine((text) => normalizeFingerprint(text) !== null, 'must be a SHA-256: 64 hex digits, colons allowed')
      .optional()
      .describe('SHA-256 of the very certificate, accepted instead of a CA.'),
    insecure: z.boolean().default(false).describe('Any certificate is accepted; only its dates are watched.'),
    timeout: duration({ atLeastMs: 100, atMostMs: 60_000 }).default(DEFAULT_TIMEOUT_MS),
    interval: duration({ atLeastMs: MINUTE_MS, atMostMs: 12 * MINUTE_MS })
      .optional()
      .describe(
        'Not more often than this, for what should not be asked in every watch; a probe counts for 15 minutes.',
      ),
  })
  .superRefine((config, context) => {
    const problem = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    for (const header of Object.keys(config.headers)) {
      if (!/^[A-Za-z0-9-]{1,64}$/.test(header))
        context.addIssue({ code: 'custom', path: ['headers', header], message: 'is no header name' });
    }
    const ways = (['http', 'tcp', 'icmp'] as const).filter((way) => config[way] !== undefined);
    const [way] = ways;
    if (way === undefined) return problem('name', 'needs one of http, tcp and icmp');
    for (const other of ways.slice(1)) problem(other, `can not stand beside ${way}: write a check for each`);
    const secure = config.http?.startsWith('https:') === true || (way === 'tcp' && config.tls);
    if (config.tls && way !== 'tcp') problem('tls', 'is of use only with tcp');
    for (const key of ['caFile', 'fingerprint'] as const) {
      if (config[key] !== undefined && !secure) problem(key, 'is of use only with an https URL, or tcp with tls');
    }
    if (config.insecure && !secure) problem('insecure', 'is of use only with an https URL, or tcp with tls');
    if (config.insecure && (config.caFile !== undefined || config.fingerprint !== undefined)) {
      problem('insecure', 'can not stand beside caFile or fingerprint');
    }
    if (way === 'http') return;
    for (const key of ['expectStatus', 'expectBody'] as const) {
      if (config[key] !== undefined) problem(key, 'is of use only with http');
    }
    if (Object.keys(config.headers).length > 0) problem('headers', 'is of use only with http');
    if (config.method !== 'GET') problem('method', 'is of use only with http');
  });

export const checksConfigSchema = z
  .array(check)
  .max(MAX_CHECKS)
  .superRefine((checks, context) => {
    const seen = new Set<string>();
    checks.forEach(({ name: own }, index) => {
      if (seen.has(own))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `there are two checks called ${own}` });
      seen.add(own);
    });
  });

export type CheckConfig = z.output<typeof check>;
export type ChecksConfig = z.output<typeof checksConfigSchema>;
