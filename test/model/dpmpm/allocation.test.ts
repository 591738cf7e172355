import { describe, expect, it } from 'vitest';
import { createDpmpm } from '../../../shared/model/dpmpm/dpmpm.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { supportOf } from '../../../shared/table/support/support.ts';

const sizes = [7, 5, 6, 9];
const offsets = [0, 7, 12, 18];
const CLASSES = 3;
const concentration = { shape: 0.25, rate: 0.25 };

/** All cells once, in an order that no sampler walks. */
const codes = Uint16Array.from(
  Array.from({ length: 1890 }, (_, i) => (i * 1031) % 1890).flatMap((cell) => [
    cell % 7,
    Math.floor(cell / 7) % 5,
    Math.floor(cell / 35) % 6,
    Math.floor(cell / 210),
  ]),
);
const { combinations } = combinationsFromCodes(codes, 1890, 4);

describe('the allocation behind a draw of the DPMPM', () => {
  it.each([0, CLASSES])('is of the labels of its parameters, with %i moves of each kind', (labelMoves) => {
    const model = createDpmpm(combinations, sizes, { classes: CLASSES, concentration, labelMoves });
    const random = new RandomStream(41, 'allocation');
    let state = model.init(random);
    for (let iteration = 0; iteration < 15; iteration++) {
      state = model.step(state, random);
      const { counts, classOfCombination } = model.allocation!();
      expect(classOfCombination).toHaveLength(combinations.count);
      // Every combination is one record: counts follow from the classes.
      const expected = new Uint32Array(27 * CLASSES);
      for (const [row, f] of classOfCombination.entries()) {
        for (const [k, offset] of offsets.entries()) expected[(offset + combinations.codes[4 * row + k]!) * CLASSES + f]!++;
      }
      expect(counts).toEqual(expected);
      const occupied = new Set(classOfCombination);
      expect(state.occupiedClasses).toBe(occupied.size);
      // Given them phi is Dirichlet(1 + counts): no probability is far from its mean.
      for (const f of occupied) {
        const records = classOfCombination.filter((own) => own === f).length;
        for (const [k, offset] of offsets.entries()) {
          for (let c = 0; c < sizes[k]!; c++) {
            const total = sizes[k]! + records;
            const mean = (1 + counts[(offset + c) * CLASSES + f]!) / total;
            const error = Math.sqrt((mean * (1 - mean)) / (total + 1));
            const phi = state.probabilities[(offset + c) * CLASSES + f]!;
            expect(Math.abs(phi - mean)).toBeLessThan(6 * error);
          }
        }
      }
    }
  });

  it('is told of a table alone, whose cells are all possible', () => {
    const settings = { classes: 2, concentration };
    const support = supportOf({ rules: 1, codes: Uint16Array.of(0, 0, 6, 9) }, sizes);
    const possible = combinationsFromCodes(Uint16Array.of(1, 1, 1, 1), 1, 4).combinations;
    expect(createDpmpm(possible, sizes, settings, undefined, support).allocation).toBeUndefined();
    const beside = combinationsFromCodes(Uint16Array.of(1, 1, 1, 1, 2), 1, 5).combinations;
    expect(createDpmpm(beside, sizes, settings, [0, 1, 2, 3, 3]).allocation).toBeUndefined();
    expect(createDpmpm(possible, sizes, settings).allocation).toBeDefined();
  });
});
