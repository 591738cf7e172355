import { describe, expect, it } from 'vitest';
import { candidateChanges, candidateSpace, considerCandidates } from '../../../shared/risk/intruder/candidate-space.ts';
import { askedVariables, rowValueSets } from '../../../shared/risk/intruder/value-sets.ts';
import { supportOf } from '../../../shared/table/support/support.ts';

const sizes = [2, 3, 4];
const names = ['A', 'B', 'C'];

/** What each entry of a set is: the codes of its candidate, and the code that its value stands for. */
function entries(kind: Parameters<typeof candidateSpace>[0], codes: number[], considered?: Uint32Array[]) {
  const space = candidateSpace(kind, names, sizes);
  const row = Uint16Array.from(codes);
  const sets = rowValueSets(space, row, considered);
  expect(sets.count).toBe(askedVariables(space).variables.length);
  const own = sets.of(0);
  expect(own).toHaveLength(sets.count);
  const found = own.reduce((sum, set) => sum + set.candidates.length, 0);
  expect(found).toBeLessThanOrEqual(sets.mostEntries);
  // Memory is taken for them.
  if (considered === undefined) expect(found).toBe(sets.mostEntries);
  return own.map((set) =>
    Array.from(set.candidates, (position, i) => {
      const candidate = considered?.[0]?.[position] ?? position;
      const changed = [...codes];
      for (const { variable, code } of candidateChanges(space, row, candidate)) changed[variable] = code;
      return { changed, code: set.codes[set.values[i]!]!, value: set.values[i]! };
    }),
  );
}

describe('rowValueSets()', () => {
  it.each(['one-change', 'two-changes'] as const)(
    'has under %s every value of each variable, the others known, the truth first',
    (kind) => {
      for (const codes of [
        [0, 0, 0],
        [1, 2, 3],
        [1, 1, 2],
      ]) {
        for (const [k, set] of entries(kind, codes).entries()) {
          expect(set[0]).toEqual({ changed: codes, code: codes[k], value: 0 });
          expect(new Set(set.map(({ value }) => value)).size).toBe(sizes[k]);
          expect(set.map(({ code }) => code).sort()).toEqual([...Array(sizes[k]).keys()]);
          for (const { changed, code } of set) expect(changed).toEqual(codes.with(k, code));
        }
      }
    },
  );

  it('has of unknown variables each by itself, whatever the others are, and all together', () => {
    const codes = [1, 2, 3];
    const [a, c, both] = entries({ unknown: ['A', 'C'] }, codes);
    for (const [k, set] of [
      [0, a!],
      [2, c!],
    ] as const) {
      expect(set).toHaveLength(8);
      expect(set[0]).toEqual({ changed: codes, code: codes[k], value: 0 });
      for (const { changed, code } of set) expect(changed[k]).toBe(code);
    }
    expect(both!.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(both!.map(({ changed }) => changed.join())).size).toBe(8);
    expect(askedVariables(candidateSpace({ unknown: ['A', 'C'] }, names, sizes))).toEqual({ variables: [[0], [2], [0, 2]], counted: [2] });
  });

  it('has one set of one unknown variable, which counts', () => {
    expect(entries({ unknown: ['B'] }, [0, 1, 0])[0]!.map(({ code }) => code)).toEqual([1, 0, 2]);
    const { counted } = askedVariables(candidateSpace({ unknown: ['B'] }, names, sizes));
    expect(counted).toEqual([0]);
  });

  it('has no candidates where a value is missing, or the only one possible', () => {
    const space = candidateSpace('one-change', names, sizes);
    const missing = [0, 3, 2];
    const lacking = considerCandidates(space, Uint16Array.from(missing), undefined)!;
    const [a, b, c] = entries('one-change', missing, [...lacking]);
    expect([a!.length, b!.length, c!.length]).toEqual([2, 0, 4]);
    expect(c!.map(({ changed }) => changed[2])).toEqual([2, 0, 1, 3]);
    // A = 1 goes with C = 3 alone, and B = 2 is impossible beside it.
    const rules = Uint16Array.of(1, 3, 0, 1, 3, 1, 1, 3, 2, 1, 2, 4);
    const support = supportOf({ rules: 4, codes: rules }, sizes);
    const codes = [1, 0, 3];
    const possible = considerCandidates(space, Uint16Array.from(codes), support)!;
    const [, one, none] = entries('one-change', codes, [...possible]);
    expect(one!.map(({ code }) => code)).toEqual([0, 1]);
    expect(none).toEqual([]);
  });

  it('has none under all-cells', () => {
    expect(entries('all-cells', [0, 0, 0])).toEqual([]);
    expect(askedVariables(candidateSpace('all-cells', names, sizes))).toEqual({ variables: [], counted: [] });
  });
});
