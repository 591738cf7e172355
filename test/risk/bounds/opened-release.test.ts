import { expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { openRelease } from '../../../shared/risk/bounds/open-bounds.ts';

const schema = {
  variables: [
    { name: 'SEX', type: 'categorical' as const, categories: ['f', 'm'] },
    { name: 'JOB', type: 'categorical' as const, categories: ['a', 'b', 'c'] },
    { name: 'TOWN', type: 'categorical' as const, categories: ['x', 'y'] },
  ],
};
const identification = [{ known: ['SEX'] }, { name: 'all but one', known: ['SEX'], synthesized: ['JOB'] }];

it('opens who matches a partially synthetic release, and the bounds where they are asked for', () => {
  const settings = { synthesis: { synthesized: ['JOB'] }, identification };
  const { synthesized, scenarios, bounds } = openRelease(configSchema.parse(settings), schema);
  expect(synthesized).toEqual([1]);
  expect(bounds).toBeNull();
  expect(scenarios.map(({ name, known, synthesized: own }) => ({ name, known, own }))).toEqual([
    { name: 'known: SEX', known: [0], own: [1] },
    { name: 'all but one', known: [0], own: [1] },
  ]);
  const inherent = { resamples: 7, bands: 3 };
  const bounded = openRelease(configSchema.parse({ ...settings, seed: 5, inherent }), schema).bounds;
  expect(bounded).toMatchObject({ seed: 5, resamples: 7, bands: 3, synthesized: [1], kept: [0, 2] });
  expect(bounded!.scenarios.map(({ name }) => name)).toEqual(['known: SEX', 'all but one']);
});

it('matches nobody by anything where all is synthesized', () => {
  const { synthesized, scenarios, bounds } = openRelease(configSchema.parse({ identification }), schema);
  expect(synthesized).toEqual([0, 1, 2]);
  expect(bounds).toBeNull();
  expect(scenarios.map((one) => one.synthesized)).toEqual([[0, 1, 2], [1]]);
  expect(scenarios.every((one) => one.matching === undefined)).toBe(true);
  const twice = { identification: [{ known: ['SEX'] }, { known: ['SEX'] }] };
  expect(() => openRelease(configSchema.parse(twice), schema)).toThrow(/known: SEX/);
});
