import { describe, expect, it } from 'vitest';
import { mixedRows } from '../../../bench/tables/mixed-rows.ts';
import { decodeChainDraws, encodeChainDraws, oneDraw, someDraws } from '../../../shared/model/chains/chain-draws.ts';
import { sampleChain, stateOfDraw } from '../../../shared/model/chains/sample-chain.ts';
import { createMixed } from '../../../shared/model/mixed/mixed.ts';
import { latentNumbers, normalParameters, normalSums, sumNumbers } from '../../../shared/model/mixed/mixed-draws.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

const CLASSES = 4;
const table = mixedRows({ rows: 60, sizes: [3], masses: [1, 0], missing: 0.1 }, 2);
const model = createMixed(table, { classes: CLASSES, concentration: { shape: 1, rate: 1 } });
const random = new RandomStream(9, 'draws');
const { draws, last } = sampleChain(
  model,
  model.init(random),
  random,
  { burnIn: 5, draws: 3, thin: 2, keepAllocation: 20 },
  { name: 'base' },
);

describe('the draws of a mixed chain', () => {
  it('hold parameters and sums of values of every draw, by the labels of the first rows', () => {
    expect(draws.latent).toHaveLength(3 * latentNumbers(2, CLASSES));
    expect(draws.allocation!.valueSums).toHaveLength(3 * sumNumbers(2, CLASSES));
    expect(stateOfDraw(draws, 2)).toEqual(last);
    const { allocation } = oneDraw(draws, 2);
    expect(allocation).toEqual({ ...model.allocation!(), classOfCombination: model.allocation!().classOfCombination.subarray(0, 20) });
    for (const [j, { numbers, averages, squares }] of normalSums(allocation!, CLASSES).entries()) {
      for (let f = 0; f < CLASSES; f++) {
        const own = Array.from(table.values.subarray(60 * j, 60 * (j + 1))).filter(
          (value, row) => !Number.isNaN(value) && model.allocation!().classOfCombination[row] === f,
        );
        const mean = own.reduce((sum, value) => sum + value, 0) / (own.length || 1);
        expect(numbers[f]).toBe(own.length);
        expect(averages[f]).toBeCloseTo(mean, 14);
        expect(squares[f]).toBeCloseTo(
          own.reduce((sum, value) => sum + (value - mean) ** 2, 0),
          14,
        );
      }
    }
  });

  it('come back from their file, and go on from there', () => {
    const read = decodeChainDraws(encodeChainDraws(draws), 'base', draws.allocation!.classOfCombination);
    expect(read).toEqual(draws);
    expect(someDraws(read, 1, 3).allocation!.valueSums).toEqual(draws.allocation!.valueSums!.subarray(sumNumbers(2, CLASSES)));
    const { allocation: _, ...without } = draws;
    expect(decodeChainDraws(encodeChainDraws(draws), 'base')).toEqual(without);
    const on = () => new RandomStream(10, 'on');
    expect(model.step(stateOfDraw(read, 2), on())).toEqual(model.step(last, on()));
    const parameters = normalParameters(stateOfDraw(read, 0));
    expect(parameters).toHaveLength(2);
    expect(parameters.every(({ variances }) => variances.every((variance) => variance > 0))).toBe(true);
  });

  it('say what they lack', () => {
    expect(() => normalSums({}, CLASSES)).toThrow('sums of values');
    expect(() => normalParameters({ weights: new Float64Array(CLASSES) })).toThrow('latent');
  });
});
