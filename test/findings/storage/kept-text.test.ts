import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptText, withoutSecrets } from '../../../findings/storage/kept-text.ts';
import { redactSecrets } from '../../../src/runtime/redact-secrets.ts';
import { cleanText } from '../../../src/runtime/text.ts';

const SECRETS = [
  'password=hunter2hunter2',
  'psk: abc',
  'token ghp_0123456789abcdefghij0123456789abcdef',
  'AKIAIOSFODNN7EXAMPLE',
  'https://ann:geheim@example.org/x',
  'Authorization: Bearer abcdefgh12345678',
  'root@pam!patrold=12345678-1234-1234-1234-123456789abc',
  '123456789:AAaaBBbbCCccDDddEEeeFFffGGggHHhhIIi',
  '-----BEGIN PRIVATE KEY----- MIIEvQIBADANBgkqhkiG',
  'api_key=0',
  'cookie: a=b',
];

test('the short way round says the same as cleaning and redacting everything', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SECRETS),
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('/srv at 91 %', 'exit 137'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const text = pieces.join(' ');
      const whole = redactSecrets(cleanText(text, 4_000));
      expect(keptText(text, 60)).toBe(text.length <= 60 ? whole : cleanText(whole, 60));
      expect(withoutSecrets('', text)).toBe(redactSecrets(text));
    }),
    { numRuns: 3000 },
  );
});

test.each(SECRETS)('%s does not get through', (secret) => {
  expect(keptText(secret, 200)).toContain('[redacted]');
});

test('a secret that the cut would divide is taken out before the cut', () => {
  for (let length = 20; length < 80; length += 1)
    expect(keptText(`${'x'.repeat(30)} https://ann:geheimgeheim@example.org/x`, length)).not.toMatch(/geheim/);
});

test('what is no text is left as it is', () => {
  expect(JSON.stringify({ value: 1, list: [null, true], text: 'ok' }, withoutSecrets)).toBe(
    '{"value":1,"list":[null,true],"text":"ok"}',
  );
});
