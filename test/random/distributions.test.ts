import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beta, dirichlet } from '../../bench/plain/dirichlet.ts';
import { categoricalFromSums, gamma, logBetaPair, logGammaVariate } from '../../shared/random/distributions.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { correlation, zOfChiSquare, zOfCount, zOfMean } from './moments.ts';

const DRAWS = 40_000;

const sample = (name: string, draw: (random: RandomStream) => number, count = DRAWS): Float64Array => {
  const random = new RandomStream(20, name);
  return Float64Array.from({ length: count }, () => draw(random));
};

/** Central moments of Gamma(a, 1): variance a, third 2a, fourth 3a^2 + 6a. */
const squareSd = (shape: number) => Math.sqrt(2 * shape * shape + 6 * shape);

/** Quantiles of Gamma(shape, 1), scipy 1.17.1 `gamma.ppf`, at the probabilities of `PROBABILITIES`. */
const PROBABILITIES = [0.01, 0.1, 0.5, 0.9, 0.99, 0.999];
const GAMMA_QUANTILES: [shape: number, ...quantiles: number[]][] = [
  [
    0.01, 5.660738147061307e-201, 5.660738147062073e-101, 4.465535018910562e-31, 1.5035936230702928e-5, 0.2650525502515818,
    1.509084147694745,
  ],
  [0.25, 6.74969792955846e-9, 6.750062385633973e-5, 0.0436738023528734, 0.7503928722368366, 2.433885422197031, 4.3764442578866865],
  [1, 0.010050335853501437, 0.10536051565782636, Math.LN2, Math.LN10, 4.60517018598809, 6.907755278982137],
  [1.5, 0.057415900949558535, 0.2921871870775917, 1.1829869421876689, 3.1256943155851626, 5.6724333650721865, 8.133118098119064],
  [10, 4.1301991662732, 6.221304605225031, 9.668714614714128, 14.205990292152816, 18.783117393312533, 22.65737330906293],
  [1000, 927.9081597966425, 959.6939327288333, 999.6666864269652, 1040.73430801369, 1075.032832086435, 1100.5780982933145],
];

describe.each(GAMMA_QUANTILES)('gamma() with shape %d', (shape, ...quantiles) => {
  const values = sample(`gamma/${shape}`, (random) => gamma(random, shape));

  it('has the mean and the variance of the law', () => {
    expect(Math.abs(zOfMean(values, shape, Math.sqrt(shape)))).toBeLessThan(4);
    const squares = values.map((value) => (value - shape) ** 2);
    expect(Math.abs(zOfMean(squares, shape, squareSd(shape)))).toBeLessThan(4);
  });

  it('falls below exact quantiles as often as the law, in both tails', () => {
    for (const [i, probability] of PROBABILITIES.entries()) {
      const below = values.filter((value) => value <= quantiles[i]!).length;
      expect(Math.abs(zOfCount(below, DRAWS, probability)), `quantile ${probability}`).toBeLessThan(4);
    }
  });
});

describe('gamma()', () => {
  it.each([0, -1, NaN, Infinity])('refuses the shape %d', (shape) => {
    const random = new RandomStream(1, 'refused');
    expect(() => gamma(random, shape)).toThrow(RangeError);
    expect(() => logGammaVariate(random, shape)).toThrow(RangeError);
  });
});

describe('logGammaVariate()', () => {
  it.each([
    // scipy 1.17.1: digamma(shape), polygamma(1, shape).
    [0.001, -1000.5755719318103, 1000001.6425331959],
    [0.3, -3.502524222200133, 12.245364546107734],
    [2.5, 0.7031566406452432, 0.4903577561002349],
  ])('has mean digamma and variance trigamma at shape %d', (shape, digamma, trigamma) => {
    const values = sample(`log-gamma/${shape}`, (random) => logGammaVariate(random, shape));
    expect(values.every(Number.isFinite)).toBe(true);
    expect(Math.abs(zOfMean(values, digamma, Math.sqrt(trigamma)))).toBeLessThan(4);
    const squares = values.map((value) => (value - digamma) ** 2);
    const fourth = squares.reduce((sum, square) => sum + square * square, 0) / DRAWS;
    expect(Math.abs(zOfMean(squares, trigamma, Math.sqrt(fourth - trigamma ** 2)))).toBeLessThan(4);
  });
});

describe('logBetaPair()', () => {
  it('gives log V and log(1 - V) that belong together', () => {
    const random = new RandomStream(21, 'pair');
    for (const [a, b] of [
      [2, 3],
      [0.5, 0.5],
      [100, 1],
    ] as const) {
      for (let i = 0; i < 500; i++) {
        const [logV, logRest] = logBetaPair(random, a, b);
        expect(Math.exp(logV) + Math.exp(logRest)).toBeCloseTo(1, 14);
      }
    }
  });

  it('does not lose 1 - V where V rounds to one', () => {
    // 1 - V ~ Beta(b, a) has E log(1 - V) = digamma(b) - digamma(a + b), far below any double.
    const rests = sample('rest', (random) => logBetaPair(random, 1, 0.001)[1]);
    expect(rests.every(Number.isFinite)).toBe(true);
    // scipy 1.17.1: digamma(0.001) - digamma(1.001), trigamma(0.001) - trigamma(1.001).
    expect(Math.abs(zOfMean(rests, -1000, 1000))).toBeLessThan(4);
    const lost = rests.filter((value) => value < Math.log(Number.EPSILON / 2)).length;
    // P(1 - V < e) = e^b exactly, when a = 1.
    expect(Math.abs(zOfCount(lost, DRAWS, (Number.EPSILON / 2) ** 0.001))).toBeLessThan(4);
  });

  it('does not lose V where 1 - V rounds to one', () => {
    const values = sample('first', (random) => logBetaPair(random, 0.001, 1)[0]);
    expect(Math.abs(zOfMean(values, -1000, 1000))).toBeLessThan(4);
  });
});

describe('beta()', () => {
  it.each([
    [1, 1],
    [0.5, 0.5],
    [2, 5],
    [300, 20],
    [0.05, 2],
  ])('has the mean and the variance of Beta(%d, %d)', (a, b) => {
    const values = sample(`beta/${a}/${b}`, (random) => beta(random, a, b));
    const mean = a / (a + b);
    const variance = (mean * (1 - mean)) / (a + b + 1);
    expect(Math.abs(zOfMean(values, mean, Math.sqrt(variance)))).toBeLessThan(4);
    const squares = values.map((value) => (value - mean) ** 2);
    const fourth = squares.reduce((sum, square) => sum + square * square, 0) / DRAWS;
    expect(Math.abs(zOfMean(squares, variance, Math.sqrt(fourth - variance ** 2)))).toBeLessThan(4);
  });

  it('follows the arcsine law at (1/2, 1/2)', () => {
    const values = sample('arcsine', (random) => beta(random, 0.5, 0.5));
    for (const quantile of [0.001, 0.05, 0.5, 0.95, 0.999]) {
      const below = values.filter((value) => value <= quantile).length;
      const probability = (2 / Math.PI) * Math.asin(Math.sqrt(quantile));
      expect(Math.abs(zOfCount(below, DRAWS, probability)), `${quantile}`).toBeLessThan(4);
    }
  });
});

describe('dirichlet()', () => {
  it.each([[[1, 2, 3.5]], [[0.2, 0.7, 3]], [[5, 5]]])('has the moments of Dirichlet(%j)', (shapes) => {
    const random = new RandomStream(22, `dirichlet/${shapes}`);
    const draws = Array.from({ length: 20_000 }, () => dirichlet(random, shapes));
    const total = shapes.reduce((sum, shape) => sum + shape, 0);
    for (const [c, shape] of shapes.entries()) {
      const mean = shape / total;
      const sd = Math.sqrt((mean * (1 - mean)) / (total + 1));
      const values = draws.map((draw) => draw[c]!);
      expect(Math.abs(zOfMean(values, mean, sd)), `mean ${c}`).toBeLessThan(4);
      // E p_c p_d = a_c a_d / (A (A + 1)).
      const d = (c + 1) % shapes.length;
      const products = draws.map((draw) => draw[c]! * draw[d]!);
      const product = (shape * shapes[d]!) / (total * (total + 1));
      const spread = Math.sqrt(products.reduce((sum, one) => sum + (one - product) ** 2, 0) / products.length);
      expect(Math.abs(zOfMean(products, product, spread)), `product ${c} ${d}`).toBeLessThan(4);
    }
  });

  it('sums to one for any shapes, down to 1e-6', () => {
    const shape = fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.double({ min: 1, max: 1e4, noNaN: true }));
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 30 }), fc.integer(), (shapes, seed) => {
        const values = dirichlet(new RandomStream(seed, 'sum'), shapes);
        expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
        expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
      }),
    );
  });

  it('does not let every tiny shape underflow: one category takes nearly all, each as often as the others', () => {
    const random = new RandomStream(23, 'tiny');
    const counts = new Float64Array(4);
    for (let i = 0; i < 4_000; i++) {
      const values = dirichlet(random, [1e-4, 1e-4, 1e-4, 1e-4]);
      const largest = values.indexOf(Math.max(...values));
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      counts[largest]!++;
    }
    expect(Math.abs(zOfChiSquare(counts, [1_000, 1_000, 1_000, 1_000]))).toBeLessThan(4);
  });
});

describe('categoricalFromSums()', () => {
  const sums = Float64Array.of(99, 0, 0.5, 0.5, 2.5, 3, 3, 99);

  it('draws each index as often as its weight, within the range it is told', () => {
    const random = new RandomStream(24, 'categorical');
    const counts = new Float64Array(6);
    for (let i = 0; i < 60_000; i++) counts[categoricalFromSums(random, sums, 1, 6)]!++;
    // Weights 0, 0.5, 0, 2, 0.5, 0: classes of weight zero first, between and last are never drawn.
    expect([counts[0], counts[2], counts[5]]).toEqual([0, 0, 0]);
    expect(Math.abs(zOfChiSquare([counts[1]!, counts[3]!, counts[4]!], [10_000, 40_000, 10_000]))).toBeLessThan(4);
  });

  it('gives the only index of a range of one, with one number drawn', () => {
    const random = new RandomStream(25, 'one');
    const other = new RandomStream(25, 'one');
    expect(categoricalFromSums(random, sums, 4, 1)).toBe(0);
    other.uniform();
    expect(random.uniform()).toBe(other.uniform());
  });

  it('is uncorrelated from draw to draw', () => {
    const even = Float64Array.of(1, 2, 3, 4, 5, 6, 7);
    const values = sample('serial', (random) => categoricalFromSums(random, even, 0, 7));
    const serial = correlation(values.subarray(1), values.subarray(0, -1));
    expect(Math.abs(serial) * Math.sqrt(DRAWS)).toBeLessThan(4);
  });
});
