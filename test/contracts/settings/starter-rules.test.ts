import { expect, it } from 'vitest';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import type { Settings } from '../../../shared/contracts/settings/settings.ts';
import { withStarterRules } from '../../../shared/contracts/settings/starter-rules.ts';

const figures = (settings: Settings) => withStarterRules(completeConfig(settings)).acceptance.map((rule) => rule.split(' ')[0]);

it('gives each run the starter rules whose figures it has, before its own', () => {
  const identification = [{ known: ['a'], synthesized: ['b'] }];
  const partial = { synthesis: { synthesized: ['b'] } };
  const chains = 'attributeRisk.reproducibility';
  const always = 'attributeRisk.uncertaintyResolved';
  expect(figures({})).toEqual([always, chains]);
  expect(figures(partial)).toEqual([always, chains]);
  expect(figures({ ...partial, identification })).toEqual([always, 'identificationRisk.mean.trueMatchRate', chains]);
  expect(figures({ ...partial, model: { name: 'cart' } })).toEqual([always, 'attributeRisk.provenShare']);
  expect(withStarterRules(completeConfig({ acceptance: ['table.records > 1'] })).acceptance.at(-1)).toBe('table.records > 1');
});
