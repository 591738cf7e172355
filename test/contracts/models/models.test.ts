import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { epsilonOf, factsOf, MODEL_NAMES, MODELS, modelSchema, modelsWith, settingsOf } from '../../../shared/contracts/models/models.ts';
import { synthesizerOf } from '../../../shared/pipeline/synthesizers/synthesizers.ts';
import { ALL_REFERENCES } from '../../../shared/report/review/references.ts';

describe('the models', () => {
  it.each(MODELS)('$name is told apart by its name, and cites what the references have', (facts) => {
    expect(factsOf({ name: facts.name })).toBe(facts);
    expect(facts.settings.parse({ name: facts.name, ...epsilonFor(facts.name) }).name).toBe(facts.name);
    const known = ALL_REFERENCES.map(({ key }) => key);
    expect(facts.references.filter((key) => !known.includes(key))).toEqual([]);
  });

  it.each(MODELS)('$name has chains where its risk is sampled, and nowhere else', ({ name, method }) => {
    const config = configSchema.parse({ model: { name, ...epsilonFor(name) }, synthesis: { synthesized: ['A'] } });
    expect(synthesizerOf(config).chains === null).toBe(method !== 'sampled');
  });

  it('is the first where none is named', () => {
    expect(modelSchema.parse({}).name).toBe(MODEL_NAMES[0]);
  });

  it('say what is set of which, and what they promise', () => {
    expect(modelsWith('epsilon')).toEqual(['beta-binomial', 'dirichlet-multinomial']);
    expect(modelsWith('classes')).toEqual(['dpmpm', 'mixed']);
    const counts = modelSchema.parse({ name: 'beta-binomial', epsilon: 2 });
    expect([counts, modelSchema.parse({})].map(epsilonOf)).toEqual([2, null]);
  });

  it('are no others, and have no settings of another', () => {
    expect(() => factsOf({ name: 'bootstrap' })).toThrow(RangeError);
    expect(() => settingsOf(modelSchema.parse({}), 'cart')).toThrow(/the model is dpmpm/);
  });
});

/** The epsilon that models of counts need. */
const epsilonFor = (name: string) => (modelsWith('epsilon').some((own) => own === name) ? { epsilon: 1 } : {});
