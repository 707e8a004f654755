/** The settings of one `prometheus` source. */
import { z } from 'zod';
import { duration } from '../../config/duration.ts';
import { normalizeFingerprint } from '../../runtime/http-tls.ts';
import { createSecret } from '../../runtime/secret.ts';

const secret = z.string().min(1).max(16_384).transform(createSecret);
const file = z.string().min(1).max(4_096);

/** One matcher as PromQL writes it; the value may hold escaped quotes. */
const MATCHER = /^[A-Za-z_][A-Za-z0-9_]*(?:=|!=|=~|!~)"(?:[^"\\\n]|\\.){0,500}"$/;

const url = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:9090' })
  .max(2_000)
  .refine(
    (text) => !URL.canParse(text) || new URL(text).username === '',
    'must not hold a user: use username and passwordFile',
  );

export const prometheusConfigSchema = z
  .strictObject({
    url: url.describe('Where Prometheus, or what speaks its HTTP API, answers; a path prefix belongs to it.'),
    caFile: file.optional().describe('CA that signed its certificate.'),
    certFile: file.optional().describe('Client certificate, where it asks for one.'),
    keyFile: file.optional().describe('Key of the client certificate.'),
    fingerprint: z
      .string()
      .refine((text) => normalizeFingerprint(text) !== null, 'must be a SHA-256: 64 hex digits, colons allowed')
      .optional()
      .describe('SHA-256 of its own certificate, trusted instead of a CA.'),
    username: z.string().min(1).max(256).optional().describe('User for basic authentication.'),
    password: secret
      .optional()
      .describe('Password of that user; better in passwordFile, or as ${NAME} of an environment variable.'),
    passwordFile: file.optional().describe('File that holds the password.'),
    token: secret.optional().describe('Bearer token; better in tokenFile, or as ${NAME} of an environment variable.'),
    tokenFile: file.optional().describe('File that holds the bearer token.'),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'is no header name'), z.string().max(1_024))
      .default({})
      .describe('Further headers, such as X-Scope-OrgID; credentials belong into token or password.'),
    match: z
      .array(z.string().regex(MATCHER, 'must look like site="home" or env=~"prod|lab"'))
      .max(16)
      .default([])
      .describe('Label matchers that narrow what is read; needed where several places share job and instance names.'),
    staleAfter: duration({ atLeastMs: 30_000, atMostMs: 3_600_000 })
      .default(300_000)
      .describe(
        'A sample older than this counts as not read; default 5m, as long as Prometheus itself repeats a value.',
      ),
    ignoreFilesystems: z
      .array(z.string().min(1).max(256))
      .max(64)
      .default([])
      .describe('Globs over mount points that are not watched, such as `/mnt/scratch` or `/media/**`.'),
  })
  .superRefine((config, context) => {
    const problem = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    const both = (a: keyof typeof config, b: keyof typeof config): boolean =>
      config[a] !== undefined && config[b] !== undefined;
    if (both('password', 'passwordFile')) problem('passwordFile', 'can not stand beside password');
    if (both('token', 'tokenFile')) problem('tokenFile', 'can not stand beside token');
    const hasPassword = config.password !== undefined || config.passwordFile !== undefined;
    const hasToken = config.token !== undefined || config.tokenFile !== undefined;
    if (hasPassword && config.username === undefined) problem('username', 'is missing beside the password');
    if (!hasPassword && config.username !== undefined) problem('username', 'needs passwordFile or password');
    if (hasPassword && hasToken)
      problem(config.token === undefined ? 'tokenFile' : 'token', 'can not stand beside a password');
    if ((config.certFile === undefined) !== (config.keyFile === undefined)) {
      problem(config.certFile === undefined ? 'certFile' : 'keyFile', 'certFile and keyFile go together');
    }
    for (const name of ['caFile', 'certFile', 'keyFile', 'fingerprint'] as const) {
      if (config[name] !== undefined && config.url.startsWith('http:'))
        problem(name, 'is of use only with an https URL');
    }
  });

export type PrometheusConfig = z.infer<typeof prometheusConfigSchema>;
