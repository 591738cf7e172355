import { describe, expect, it } from 'vitest';
import { identificationScenarioSchema } from '../../../shared/contracts/config/identification-scenario.ts';
import { disclosureRadii } from '../../../shared/risk/identification/attribute-disclosures.ts';
import { openScenario } from '../../../shared/risk/identification/opened-scenario.ts';

const SCHEMA = {
  variables: [
    { name: 'AGE', type: 'continuous' as const },
    { name: 'INCOME', type: 'continuous' as const },
    { name: 'SEX', type: 'categorical' as const, categories: ['f', 'm'] },
  ],
};
const scenario = (radius: object) => openScenario(SCHEMA, identificationScenarioSchema.parse({ known: ['AGE'], radius }));
const tenth = { relative: 0.1 };

describe('disclosureRadii()', () => {
  it.each(['refused', 'equal'] as const)('takes the one radius that scenarios give, several %s', (several) => {
    const scenarios = [scenario({ AGE: 'abs:2', INCOME: 0.1 }), scenario({ INCOME: 0.1 }), scenario({})];
    expect(disclosureRadii(SCHEMA, scenarios, [1, 2], several)).toEqual([undefined, tenth, undefined]);
  });

  it('refuses several radii of a synthesized variable, or leaves it to equality', () => {
    const scenarios = [scenario({ INCOME: 0.1 }), scenario({ INCOME: 0.2 })];
    expect(() => disclosureRadii(SCHEMA, scenarios, [1], 'refused')).toThrow(/INCOME has several radii/);
    expect(disclosureRadii(SCHEMA, scenarios, [1], 'equal')).toEqual([undefined, undefined, undefined]);
    expect(disclosureRadii(SCHEMA, scenarios, [2], 'refused')).toEqual([undefined, undefined, undefined]);
  });
});
