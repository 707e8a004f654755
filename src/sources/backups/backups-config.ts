/** The `backups:` section: backups that no other source knows. */
import { z } from 'zod';
import { duration } from '../../config/duration.ts';
import { createSecret } from '../../runtime/secret.ts';
import { archivePatternProblem } from './archive-pattern.ts';

const MAX_BACKUPS = 32;

const HOUR_MS = 3_600_000;

const file = z.string().min(1).max(4_096);
const secret = z.string().min(1).max(16_384).transform(createSecret);
const word = z.string().min(1).max(512);

/** What would make another program run than the one that is meant. */
const UNSAFE_VARIABLE = /^(?:PATH|LD_.*|TZ|LC_ALL|PYTHON.*)$/;

const environment = z
  .record(z.string(), z.string().max(16_384).transform(createSecret))
  .superRefine((variables, context) => {
    for (const name of Object.keys(variables)) {
      const isName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name);
      if (isName && !UNSAFE_VARIABLE.test(name)) continue;
      const message = isName ? 'can not be set' : 'is no name of an environment variable';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .default({})
  .describe('Environment of the command, such as AWS_ACCESS_KEY_ID or BORG_RSH; values may be ${NAME}.');

const common = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'use letters, digits, dot, dash and underscore, 63 at most')
    .describe('What the backup is called in findings.'),
  resource: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Id of the resource that it backs up; default: this machine.'),
  unit: z
    .string()
    .regex(/^[A-Za-z0-9:_.\\@-]{1,200}$/, 'is no name of a systemd unit')
    .transform((unit) => (unit.includes('.') ? unit : `${unit}.service`))
    .optional()
    .describe(
      'systemd unit that makes it: a failed run leaves no archive, but a state of the unit. Its timer is found by itself.',
    ),
  every: duration({ atLeastMs: HOUR_MS / 4 })
    .optional()
    .describe('How often it is made; default: as its timer says, else what the alert limits say.'),
  timeout: duration({ atLeastMs: 1_000, atMostMs: HOUR_MS / 6 })
    .default(60_000)
    .describe('How long reading the list of archives may take.'),
};

const password = {
  password: secret.optional().describe('Better in passwordFile, or as ${NAME} of an environment variable.'),
  passwordFile: file.optional().describe('File that holds the password.'),
};

/** Commands run in `/`, so that a relative path would mean another place than it does to whoever wrote it. */
const repository = z
  .string()
  .max(2_000)
  .regex(
    /^(?:\/|[A-Za-z0-9][^/\s]*:)[^\0\n]*$/,
    'must be an absolute path, or an address such as sftp:, s3:, rest: or ssh://',
  );

const restic = z.strictObject({
  ...common,
  type: z.literal('restic'),
  repository,
  ...password,
  host: word.optional().describe('Only snapshots of this host.'),
  tags: z.array(word).max(32).default([]).describe('Only snapshots with all of these tags.'),
  paths: z.array(word).max(32).default([]).describe('Only snapshots of all of these paths.'),
  environment,
});

const borg = z.strictObject({
  ...common,
  type: z.literal('borg'),
  repository,
  ...password,
  archives: word.optional().describe('Only archives whose name matches this glob, such as laptop-*.'),
  environment,
});

const directory = z.strictObject({
  ...common,
  type: z.literal('directory'),
  path: z
    .string()
    .max(4_096)
    .regex(/^\/[^\0\n]*$/, 'must be an absolute path')
    .describe('Directory that holds one file or directory for each backup.'),
  pattern: z
    .string()
    .min(1)
    .max(256)
    .refine((text) => archivePatternProblem(text) === null, {
      error: ({ input }) => archivePatternProblem(String(input)) ?? '',
    })
    .optional()
    .describe(
      'Names of the archives: * for anything, and %Y %m %d %H %M %S where the date stands; without a date their modification time counts.',
    ),
  timeZone: z
    .string()
    .refine(isTimeZone, 'is no IANA time zone')
    .optional()
    .describe('Of the dates in the names; default: this machine’s.'),
});

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const backupsConfigSchema = z
  .array(z.discriminatedUnion('type', [restic, borg, directory], { error: 'the types are restic, borg and directory' }))
  .max(MAX_BACKUPS)
  .superRefine((backups, context) => {
    const seen = new Set<string>();
    backups.forEach((backup, index) => {
      const problem = (key: string, message: string): void => {
        context.addIssue({ code: 'custom', path: [index, key], message });
      };
      if (seen.has(backup.name)) problem('name', `there are two backups called ${backup.name}`);
      seen.add(backup.name);
      if (backup.type === 'directory') return;
      if (backup.password !== undefined && backup.passwordFile !== undefined)
        problem('passwordFile', 'can not stand beside password');
    });
  });

export type BackupsConfig = z.output<typeof backupsConfigSchema>;
export type BackupConfig = BackupsConfig[number];
export type ResticConfig = z.output<typeof restic>;
export type BorgConfig = z.output<typeof borg>;
export type DirectoryConfig = z.output<typeof directory>;
