import { describe, expect, it } from 'vitest';
import { scenariosToIdentify } from '../../../shared/pipeline/plan/plan-identification.ts';
import { smallConfig } from '../small-run.ts';

describe('scenariosToIdentify()', () => {
  const identification = [{ known: ['age'] }, { known: ['sex'], synthesized: ['income'] }];
  const synthesizedOf = (synthesis: object) =>
    scenariosToIdentify(smallConfig({ synthesis, identification })).map(({ synthesized }) => synthesized);

  it('takes what the synthesis names for synthesized, unless a scenario names some itself', () => {
    expect(synthesizedOf({ synthesized: ['job', 'income'] })).toEqual([['job', 'income'], ['income']]);
    expect(synthesizedOf({})).toEqual([undefined, ['income']]);
  });

  it('refuses none, and two of one name', () => {
    expect(() => scenariosToIdentify(smallConfig({ identification: [] }))).toThrow(expect.objectContaining({ code: 'no-scenario' }));
    const twice = [{ known: ['age'] }, { known: ['age'] }];
    expect(() => scenariosToIdentify(smallConfig({ identification: twice }))).toThrow(
      expect.objectContaining({ code: 'repeated-scenario' }),
    );
  });
});
