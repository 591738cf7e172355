import { expect, it } from 'vitest';
import { differingSettings } from '../../../shared/contracts/settings/differing-settings.ts';

it('differingSettings() names what differs, and takes fields in another order for the same', () => {
  const one = { model: { name: 'cart', leaf: { least: 5, most: 9 } }, synthesis: { synthesized: ['a', 'b'] } };
  const other = { model: { name: 'cart', leaf: { most: 9, least: 5 } }, synthesis: { synthesized: ['b', 'a'] } };
  expect(differingSettings(one, other)).toEqual(['synthesis.synthesized']);
  expect(differingSettings<Record<string, object>>(one, { ...one, model: { name: 'cart' } })).toEqual(['model.leaf']);
});
