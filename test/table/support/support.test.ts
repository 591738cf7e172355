import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds, mergeBoxes, supportOf } from '../../../shared/table/support/support.ts';

/** Every cell of a cross-classification, as codes. */
function cellsOf(sizes: readonly number[]): Uint16Array[] {
  return sizes
    .reduce<number[][]>((cells, size) => cells.flatMap((cell) => Array.from({ length: size }, (_, code) => [...cell, code])), [[]])
    .map((cell) => Uint16Array.from(cell));
}

/** Sizes of a few variables, and rules on them, each of which fixes at least one. */
const sizesAndRules = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }).chain((sizes) => {
  const rule = fc
    .tuple(...sizes.map((size) => fc.integer({ min: 0, max: 2 * size - 1 }).map((c) => Math.min(c, size))))
    .filter((codes) => codes.some((code, k) => code < sizes[k]!));
  return fc.tuple(fc.constant(sizes), fc.array(rule, { minLength: 1, maxLength: 12 }));
});

const rulesOf = (rules: readonly (readonly number[])[]) => ({ rules: rules.length, codes: Uint16Array.from(rules.flat()) });

describe('supportOf()', () => {
  it('puts every cell into exactly one box, of the kind that the rules say', () => {
    let checked = 0;
    fc.assert(
      fc.property(sizesAndRules, ([sizes, rules]) => {
        const forbidden = (cell: Uint16Array) => rules.some((rule) => rule.every((code, k) => code === sizes[k] || code === cell[k]));
        const cells = cellsOf(sizes);
        if (cells.every(forbidden)) {
          expect(() => supportOf(rulesOf(rules), sizes)).toThrow(/forbid every combination/);
          return;
        }
        const { possible, impossible } = supportOf(rulesOf(rules), sizes);
        for (const cell of cells) {
          const within = (boxes: typeof possible) => boxes.filter((box) => holds(box, cell, 0, sizes)).length;
          expect(within(possible)).toBe(forbidden(cell) ? 0 : 1);
          expect(within(impossible)).toBe(forbidden(cell) ? 1 : 0);
        }
        checked++;
      }),
      { numRuns: 400 },
    );
    expect(checked).toBeGreaterThan(100);
  });

  it('keeps categories together of which the rules leave the same', () => {
    // Nobody under 15 (category 0 of 4) has a status other than 0 of 6.
    const rules = [1, 2, 3, 4, 5].map((status) => [0, status]);
    const { possible, impossible } = supportOf(rulesOf(rules), [4, 6]);
    expect(impossible).toEqual([
      [
        { variable: 0, categories: [0] },
        { variable: 1, categories: [1, 2, 3, 4, 5] },
      ],
    ]);
    expect(possible).toEqual([
      [
        { variable: 0, categories: [0] },
        { variable: 1, categories: [0] },
      ],
      [{ variable: 0, categories: [1, 2, 3] }],
    ]);
  });

  it('refuses rules that fall into more sets than a sampler can carry', () => {
    // Pairs of neighbours in 40 variables of three categories: a chain that no order of them breaks early.
    const sizes = new Array<number>(40).fill(3);
    const rules = sizes
      .slice(1)
      .flatMap((_, k) => [
        sizes.map((size, j) => (j === k || j === k + 1 ? 0 : size)),
        sizes.map((size, j) => (j === k || j === k + 1 ? 1 : size)),
      ]);
    expect(() => supportOf(rulesOf(rules), sizes)).toThrow(expect.objectContaining({ code: 'too-many-structural-zeros' }));
  });
});

describe('mergeBoxes()', () => {
  it('holds the same cells in boxes without overlap, and no more of them', () => {
    fc.assert(
      fc.property(sizesAndRules, ([sizes, rules]) => {
        const forbidden = (cell: Uint16Array) => rules.some((rule) => rule.every((code, k) => code === sizes[k] || code === cell[k]));
        fc.pre(!cellsOf(sizes).every(forbidden));
        const { impossible } = supportOf(rulesOf(rules), sizes);
        const merged = mergeBoxes(impossible, sizes);
        expect(merged.length).toBeLessThanOrEqual(impossible.length);
        for (const cell of cellsOf(sizes)) {
          const within = (boxes: typeof merged) => boxes.filter((box) => holds(box, cell, 0, sizes)).length;
          expect(within(merged)).toBe(within(impossible));
        }
      }),
    );
  });

  it('makes one box of any that differ in a single variable, and of all cells one without sides', () => {
    const boxOf = (code: number) => [{ variable: 1, categories: [code] }];
    expect(mergeBoxes([2, 0].map(boxOf), [2, 4])).toEqual([[{ variable: 1, categories: [0, 2] }]]);
    expect(mergeBoxes([3, 1, 0, 2].map(boxOf), [2, 4])).toEqual([[]]);
    expect(mergeBoxes([], [2, 4])).toEqual([]);
  });
});

describe('holds()', () => {
  it('takes a missing value for one that could be any', () => {
    const box = [
      { variable: 0, categories: [1] },
      { variable: 2, categories: [0, 2] },
    ];
    expect(holds(box, Uint16Array.of(9, 1, 4, 3), 1, [2, 5, 3])).toBe(true);
    expect(holds(box, Uint16Array.of(9, 2, 4, 2), 1, [2, 5, 3])).toBe(true);
    expect(holds(box, Uint16Array.of(9, 0, 4, 2), 1, [2, 5, 3])).toBe(false);
    expect(holds(box, Uint16Array.of(9, 1, 4, 1), 1, [2, 5, 3])).toBe(false);
  });
});
