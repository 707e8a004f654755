import { describe, expect, it } from 'vitest';
import { containerTags } from '../../../src/sources/docker/container-tags.ts';

describe('containerTags', () => {
  it.each([
    ['nothing without labels that count', { maintainer: 'somebody', 'org.example.tags': 'a' }, []],
    ['the Compose project', { 'com.docker.compose.project': 'shop' }, ['project:shop']],
    ['what the label names, trimmed and without doubles', { 'patrold.tags': ' media, media ,,nas' }, ['media', 'nas']],
    ['both', { 'com.docker.compose.project': 'shop', 'patrold.tags': 'x' }, ['project:shop', 'x']],
    ['what is visible of them', { 'patrold.tags': 'a\u001b[31mb\u200b,c\nd' }, ['ab', 'c d']],
  ])('are %s', (_what, labels, tags) => {
    expect(containerTags(labels as unknown as Record<string, string>)).toEqual(tags);
  });

  it('are bounded in number and length', () => {
    const tags = containerTags({
      'patrold.tags': Array.from({ length: 5_000 }, (_, n) => `${n}-${'x'.repeat(200)}`).join(','),
    });
    expect(tags.length).toBeLessThanOrEqual(16);
    expect(Math.max(...tags.map(({ length }) => length))).toBeLessThanOrEqual(64);
  });
});
