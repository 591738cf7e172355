import { describe, expect, it } from 'vitest';
import { type IdentificationScenario, identificationScenarioSchema } from '../../../shared/contracts/config/identification-scenario.ts';

describe('identificationScenarioSchema', () => {
  it('takes a radius as a share or in the units of the variable, in two notations of each', () => {
    const radius = { A: 0.1, B: 'abs:500', C: { relative: 0.2 }, D: { absolute: 0 }, E: 'abs:1.5e3', F: 0 };
    const scenario: IdentificationScenario = {
      known: ['K'],
      radius: {
        A: { relative: 0.1 },
        B: { absolute: 500 },
        C: { relative: 0.2 },
        D: { absolute: 0 },
        E: { absolute: 1500 },
        F: { relative: 0 },
      },
      shape: 'box',
    };
    expect(identificationScenarioSchema.parse({ known: ['K'], radius })).toEqual(scenario);
    expect(identificationScenarioSchema.parse(scenario)).toEqual(scenario);
  });

  it('may name no known variable, and none whose true value is known', () => {
    expect(identificationScenarioSchema.parse({ known: [], synthesized: [] })).toMatchObject({ known: [], synthesized: [] });
  });

  it('sweeps the radii of Hornby & Hu 2021 when told none', () => {
    const { sweep } = identificationScenarioSchema.parse({ known: ['K'], sweep: {} });
    expect(sweep).toEqual({ radii: [0.01, 0.025, 0.05, 0.1, 0.2, 0.3], jointly: false });
  });

  it('sweeps radii together unless told otherwise', () => {
    const { sweep } = identificationScenarioSchema.parse({ known: ['K'], sweep: { radii: [0.1, 0.2] } });
    expect(sweep).toEqual({ radii: [0.1, 0.2], jointly: false });
  });

  it.each([
    {},
    { known: ['K'], radius: { A: -0.1 } },
    { known: ['K'], radius: { A: 'abs:-1' } },
    { known: ['K'], radius: { A: 'abs:' } },
    { known: ['K'], radius: { A: 'abs:1e999' } },
    { known: ['K'], radius: { A: '0.1' } },
    { known: ['K'], radius: { A: { relative: 1, absolute: 1 } } },
    { known: ['K'], radius: { A: Number.POSITIVE_INFINITY } },
    { known: ['K'], shape: 'ball' },
    { known: ['K'], sweep: { radii: [] } },
    { known: ['K'], sweep: { radii: [-1] } },
  ])('refuses %j', (scenario) => {
    expect(identificationScenarioSchema.safeParse(scenario).success).toBe(false);
  });
});
