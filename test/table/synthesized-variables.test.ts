import { describe, expect, it } from 'vitest';
import { synthesizedVariables } from '../../shared/table/synthesized-variables.ts';

const schema = { variables: ['A', 'B', 'C'].map((name) => ({ name, type: 'continuous' as const })) };

describe('synthesizedVariables()', () => {
  it('keeps the order in which they were named', () => {
    expect(synthesizedVariables(['C', 'A'], schema)).toEqual([2, 0]);
    expect(synthesizedVariables('all', schema)).toEqual([0, 1, 2]);
  });

  it('refuses a name that the table lacks, and a name for every variable', () => {
    const refusal = (code: string) => expect.objectContaining({ name: 'InvalidConfigError', code });
    expect(() => synthesizedVariables(['A', 'D'], schema)).toThrow(refusal('unknown-variable'));
    expect(() => synthesizedVariables(['A', 'B', 'C'], schema)).toThrow(refusal('nothing-kept'));
  });

  it('refuses one of a single category, which may be kept', () => {
    const single = { name: 'D', type: 'categorical' as const, categories: ['CANARY-7Q'] };
    const wider = { variables: [schema.variables[0]!, single] };
    for (const replaced of ['all', ['D']] as const) {
      expect(() => synthesizedVariables(replaced, wider)).toThrow(
        expect.objectContaining({ code: 'single-category', message: expect.stringMatching(/in `\w+`: drop/) }),
      );
      expect(() => synthesizedVariables(replaced, wider)).not.toThrow(/CANARY/);
    }
    expect(synthesizedVariables(['A'], wider)).toEqual([0]);
  });
});
