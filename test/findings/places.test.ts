import { expect, it } from 'vitest';
import { placesOf } from '../../findings/places.ts';
import { asResourceId, type Resource } from '../../signals/resource.ts';
import { resourceOf } from '../support/signal-story.ts';

const cluster = asResourceId('home');
const other = asResourceId('away');
const node = (id: string, parentId: Resource['parentId']): Resource =>
  resourceOf('node', { id: asResourceId(id), name: 'pve1', parentId });
const guest = (more: Partial<Resource>): Resource =>
  resourceOf('vm', { id: asResourceId('home/vm/104'), parentId: cluster, ...more });

it('a guest is lost with the node that it is on, of its own cluster', () => {
  const nodes = [node('away/node/pve1', other), node('home/node/pve1', cluster)];
  const placed = placesOf([...nodes, guest({ facts: { node: 'pve1' } })]);
  expect(placed(asResourceId('home/vm/104'))?.parentId).toBe('home/node/pve1');
  expect(placed(asResourceId('home/node/pve1'))?.parentId).toBe('home');
});

it('a guest whose node is not known, or that is on a node alone, stays below its parent', () => {
  expect(placesOf([guest({ facts: { node: 'pve9' } })])(asResourceId('home/vm/104'))?.parentId).toBe('home');
  const alone = guest({ parentId: asResourceId('pve1'), facts: { node: 'pve1' } });
  expect(placesOf([node('pve1', null), alone])(asResourceId('home/vm/104'))?.parentId).toBe('pve1');
});

it('a source stands for itself', () => {
  const source = resourceOf('source', { id: asResourceId('source/home'), sourceIds: ['home'] });
  expect(placesOf([source])(source.id)).toEqual({ parentId: null, sourceIds: ['home'], isSource: 'home' });
});
