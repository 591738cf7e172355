import { expect, it } from 'vitest';
import { reachableIn } from '../../scripts/audit/reachable.ts';

const advisory = { title: 'Reads too far', url: 'https://example.org/1', severity: 'high', range: '<2.0.1' };

it('an audit fails for what is within a bundle, in the version that is', () => {
  const vulnerable = [
    { name: 'read', nodes: ['node_modules/read', 'node_modules/test/node_modules/read'], via: [advisory] },
    { name: 'brings', nodes: ['node_modules/brings'], via: ['read'] },
    { name: 'test', nodes: ['node_modules/test'], via: [advisory] },
  ];
  const installed = {
    'node_modules/read': { version: '2.0.0' },
    'node_modules/test/node_modules/read': { version: '1.0.0' },
    'node_modules/brings': { version: '3.0.0' },
    'node_modules/test': { version: '4.0.0' },
  };
  const of = (...bundled: string[]) => reachableIn(vulnerable, installed, new Set(bundled));
  expect(of('read@2.0.0', 'brings@3.0.0')).toEqual(['read@2.0.0: high: Reads too far (<2.0.1) https://example.org/1']);
  expect(of('read@1.0.0', 'read@2.0.0')).toHaveLength(2);
  expect(of('brings@3.0.0', 'read@9.0.0')).toEqual([]);
});
