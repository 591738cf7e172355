import { expect, it } from 'vitest';
import { emptyValueRisk, setDistributions } from '../../../shared/risk/attribute/value-risk.ts';

it('a row has the quantiles of its distributions before and after the release in its own place, and their probabilities', () => {
  // Two cells, [0, 1] and [1, 2], once and three times as likely before, alike after.
  const scale = { cells: new Float64Array(8), bounds: Float64Array.of(0, 1, 1, 2), truthEntry: null, logPrecision: 0 };
  const places = Uint32Array.of(0, 1);
  const set = { candidates: places, values: places, codes: places, scale };
  const missing = { candidates: new Uint32Array(0), values: new Uint32Array(0), codes: new Uint32Array(0) };
  const { intervals } = emptyValueRisk(3, 2, 0, 2);
  const own = new Float32Array(4);
  setDistributions({ intervals, row: 1, own }, [missing, set], Float64Array.of(0, Math.log(3)), Float64Array.of(Math.log(3), 0));
  const quantiles = [0.2, 1 + 0.7 / 0.75, 1 + 0.25 / 0.75, 0.1, 1.9, 1];
  expect([...intervals.subarray(18, 24)]).toEqual(quantiles.map((value) => expect.closeTo(value, 12)));
  expect([...intervals].filter((value) => !Number.isNaN(value))).toHaveLength(6);
  expect([...own]).toEqual([0.25, 0.75, 0.5, 0.5].map((value) => expect.closeTo(value, 6)));
});
