import { expect, test } from 'vitest';
import { modelConfigSchema } from '../../../src/config/model.ts';
import { providers } from '../../../src/model/providers/index.ts';

test('what can be configured can be asked, and the other way round', () => {
  const named = modelConfigSchema
    .unwrap()
    .shape.provider.unwrap()
    .options.filter((provider) => provider !== 'none');
  expect(providers.map(({ type }) => type)).toEqual(named);
});
