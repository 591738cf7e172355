import { expect, it } from 'vitest';
import { configOf } from '../../../page/engine/chosen.ts';

it('names no flags of the command line where an earlier run cannot be assessed', () => {
  const chosen = { name: 'table.csv', table: new Uint8Array(), settings: '', files: new Map(), synthetic: [] };
  const earlier = { name: 'first', plan: { purpose: 'evaluate', config: { model: { name: 'cart' } } } };
  const refused = () => configOf(chosen, earlier as unknown as NonNullable<Parameters<typeof configOf>[1]>);
  expect(refused).toThrow('The run in first is of the model cart');
  expect(refused).toThrow(/^(?!.*--).*settings that made them, and the command identify/);
});
