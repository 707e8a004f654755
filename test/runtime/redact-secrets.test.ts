import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactSecrets } from '../../src/runtime/redact-secrets.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const PEM = [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ',
  'AAAAMwAAAAtzc2gtZWQyNTUxOQ==',
  '-----END OPENSSH PRIVATE KEY-----',
];

describe('redactSecrets', () => {
  it.each([
    ['an assignment', 'DB_PASSWORD=hunter2 DB_HOST=db1', `DB_PASSWORD=${REDACTED} DB_HOST=db1`],
    ['a list of settings', 'user=a,password=b!c,host=d', `user=a,password=${REDACTED},host=d`],
    ['JSON', '{"token": "abc\\"def", "id": 7}', `{"token": "${REDACTED}", "id": 7}`],
    ['a value with a quote in it', 'password=a"b c', `password=${REDACTED} c`],
    ['a quoted value that was cut', 'x {"password": "a b', `x {"password": "${REDACTED}"`],
    ['JSON in JSON', '{\\"password\\":\\"abc\\",\\"id\\":7}', `{\\"password\\":\\"${REDACTED}\\",\\"id\\":7}`],
    ['YAML', "  apiKey: 'a b c' # mine", `  apiKey: '${REDACTED}' # mine`],
    ['an option', 'restic --password hunter2 snapshots', `restic --password ${REDACTED} snapshots`],
    ['an option with an equals sign', 'x --client-secret=abc -v', `x --client-secret=${REDACTED} -v`],
    ['a URL', 'GET https://bob:s3cr@t@host:8080/a failed', `GET https://${REDACTED}@host:8080/a failed`],
    ['a URL whose user name is the token', 'redis://tok@host/1', `redis://${REDACTED}@host/1`],
    ['a query', 'GET /a?x=1&sig=Zm9v&y=2', `GET /a?x=1&sig=${REDACTED}&y=2`],
    ['a header', 'Authorization: Basic dXNlcjpwYXNz ok', `Authorization: Basic ${REDACTED} ok`],
    ['a bearer', 'sent Bearer abcdefgh123 to it', `sent Bearer ${REDACTED} to it`],
    ['a cookie', 'Cookie: a=b; c=d', `Cookie: ${REDACTED}`],
    ['a JWT', 'got eyJhbGciOiJI.eyJzdWIiOiIx.c2ln!', `got ${REDACTED}!`],
    ['a GitHub token', `push with ghp_${'a1'.repeat(18)} failed`, `push with ${REDACTED} failed`],
    ['a Proxmox VE token', 'PVEAPIToken=a@pve!r=01234567-89ab-cdef-0123-456789abcdef x', `PVEAPIToken=${REDACTED} x`],
    ['a Proxmox token alone', 'a@pbs!r:01234567-89ab-cdef-0123-456789abcdef x', `a@pbs!r:${REDACTED} x`],
    ['a PEM block', `before ${PEM.join('\n')} after`, `before ${REDACTED} after`],
    ['a PEM block in one line', `key ${PEM.join('\\n')} after`, `key ${REDACTED} after`],
    ['a PEM block that was cut', `key ${PEM.slice(0, 3).join('\n')}`, `key ${REDACTED}`],
    [
      'a PEM block with headers that was cut',
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\n${PEM[1]}`,
      REDACTED,
    ],
  ])('takes the secret out of %s and keeps the rest', (_title, text, clean) => {
    expect(redactSecrets(text)).toBe(clean);
  });

  it.each([
    'Fatal: wrong password or no key found',
    'passwordFile: /etc/restic.pw',
    'RESTIC_PASSWORD_FILE=/run/secrets/restic',
    'prompt_tokens=120 completion_tokens=7',
    'tokenId: patrold@pve!read',
    'PWD=/root HOME=/root',
    'Basic authentication is required',
    'borg@backup.example:/srv/repo does not exist',
    'https://example.org/a@b?x=1',
    'enter passphrase for key /a:\nborg: timed out',
  ])('leaves %j as it is', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  const secret = fc.stringMatching(/^[A-Za-z0-9!$%*+./^~-]{8,40}$/).filter((value) => !REDACTED.includes(value));
  const word = fc.constantFrom('disk', 'failed', 'host1', '(code', '7)', 'after', '12s');
  const context = fc.constantFrom<(value: string) => string>(
    (value) => `password=${value}`,
    (value) => `"secret": "${value}"`,
    (value) => `api_key: ${value}`,
    (value) => `X-Auth-Token: ${value}`,
    (value) => `--passphrase ${value}`,
    (value) => `Authorization: Bearer ${value}`,
    (value) => `ftp://u:${encodeURIComponent(value)}@h/`,
    (value) => `token='${value}'`,
  );

  it('never lets a secret through in a place where secrets stand, and keeps the words around it', () => {
    fc.assert(
      fc.property(secret, context, fc.array(word), fc.array(word), (value, place, before, after) => {
        const clean = redactSecrets([...before, place(value), ...after].join(' '));
        expect(clean).not.toContain(value);
        expect(clean).not.toContain(encodeURIComponent(value));
        expect(clean.startsWith(before.join(' '))).toBe(true);
        expect(clean.endsWith(after.join(' '))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.tuple(secret, context, anyText).map(([value, place, rest]) => place(value) + rest),
        ),
        (text) => {
          const once = redactSecrets(text);
          expect(redactSecrets(once)).toBe(once);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('stays quick on hostile input', () => {
    const started = performance.now();
    for (const part of [
      '-----BEGIN A-----',
      'password',
      'password=',
      '://',
      'eyJaaaaaaaa.',
      'a@',
      '--p ',
      '"token":"',
      ',a=',
    ]) {
      redactSecrets(part.repeat(20_000));
    }
    redactSecrets(`password=${'x'.repeat(300_000)}`);
    redactSecrets(`--${'password'.repeat(30_000)} x`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
