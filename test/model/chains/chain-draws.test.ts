import { describe, expect, it } from 'vitest';
import type { NpyArray } from '../../../shared/arrays/npy.ts';
import { decodeNpz, encodeNpz } from '../../../shared/arrays/npz.ts';
import { ArtifactError } from '../../../shared/contracts/errors.ts';
import { type ChainDraws, decodeChainDraws, encodeChainDraws, oneDraw, someDraws } from '../../../shared/model/chains/chain-draws.ts';

function chain(): ChainDraws {
  return {
    draws: 2,
    classes: 3,
    categories: 4,
    weights: Float64Array.of(0.2, 0.3, 0.5, 0.1, 0.1, 0.8),
    probabilities: Float64Array.from({ length: 24 }, (_, i) => i / 24),
    concentration: Float64Array.of(0.7, 1.3),
    occupiedClasses: Uint16Array.of(2, 3),
    logLikelihood: Float64Array.of(-12.5, -11.25),
  };
}

/** The file of a chain with some of its arrays replaced, or left out where undefined. */
function fileWith(arrays: Record<string, NpyArray | undefined>): Uint8Array {
  const whole = { ...Object.fromEntries(decodeNpz(encodeChainDraws(chain()))), ...arrays };
  return encodeNpz(new Map(Object.entries(whole).filter((one): one is [string, NpyArray] => one[1] !== undefined)));
}

const NAMES = ['weights', 'probabilities', 'concentration', 'occupied-classes', 'log-likelihood'];

describe('encodeChainDraws()', () => {
  it('writes one array a field, with its shape', () => {
    const arrays = decodeNpz(encodeChainDraws(chain()));
    expect(Object.fromEntries([...arrays].map(([name, { shape }]) => [name, shape]))).toEqual({
      weights: [2, 3],
      probabilities: [2, 4, 3],
      concentration: [2],
      'occupied-classes': [2],
      'log-likelihood': [2],
    });
  });

  it('gives the same bytes for the same draws', () => {
    expect(encodeChainDraws(chain())).toEqual(encodeChainDraws(chain()));
  });

  it('refuses arrays of another length than the sizes give', () => {
    expect(() => encodeChainDraws({ ...chain(), weights: new Float64Array(5) })).toThrow(RangeError);
  });
});

describe('the latent numbers of a chain', () => {
  const withLatent = (): ChainDraws => ({ ...chain(), latent: Float64Array.of(1, 2, 3, 4, 5, 6) });

  it('are an array of their own, with as many for each draw as there are', () => {
    const bytes = encodeChainDraws(withLatent());
    expect(decodeNpz(bytes).get('latent')!.shape).toEqual([2, 3]);
    expect(decodeChainDraws(bytes)).toEqual(withLatent());
  });

  it('are refused when they are not as many for each draw', () => {
    expect(() => encodeChainDraws({ ...chain(), latent: new Float64Array(5) })).toThrow(RangeError);
    const latent = { data: new Float64Array(9), shape: [3, 3] };
    expect(() => decodeChainDraws(fileWith({ latent }))).toThrow(ArtifactError);
  });

  it('are no array of a chain without them', () => {
    expect([...decodeNpz(encodeChainDraws(chain())).keys()]).toEqual(NAMES);
  });
});

describe('the allocations behind the draws of a chain', () => {
  const classOfCombination = Uint16Array.of(0, 1, 2, 2, 1, 0);
  const withAllocation = (): ChainDraws => ({
    ...chain(),
    allocation: { counts: Uint32Array.from({ length: 24 }, (_, i) => i), classOfCombination },
  });

  it('are counts in the file of the chain, and classes in one of their own', () => {
    const bytes = encodeChainDraws(withAllocation());
    expect(decodeNpz(bytes).get('category-counts')!.shape).toEqual([2, 4, 3]);
    expect(decodeChainDraws(bytes, 'draws', classOfCombination)).toEqual(withAllocation());
    expect(decodeChainDraws(bytes)).toEqual(chain());
  });

  it('are refused where the counts are not there, or have another shape', () => {
    expect(() => decodeChainDraws(encodeChainDraws(chain()), 'draws', classOfCombination)).toThrow(/no array category-counts/);
    const { allocation } = withAllocation();
    const short = { ...allocation!, counts: new Uint32Array(12) };
    expect(() => encodeChainDraws({ ...chain(), allocation: short })).toThrow(RangeError);
  });

  it('go with the draws that they are of', () => {
    const { weights, probabilities, allocation } = oneDraw(withAllocation(), 1);
    expect([...weights]).toEqual([0.1, 0.1, 0.8]);
    expect(probabilities).toEqual(chain().probabilities.subarray(12));
    expect(allocation).toEqual({ counts: Uint32Array.from({ length: 12 }, (_, i) => 12 + i), classOfCombination: Uint16Array.of(2, 1, 0) });
    expect(oneDraw(chain(), 0)).toEqual({ weights: chain().weights.subarray(0, 3), probabilities: chain().probabilities.subarray(0, 12) });
    expect(someDraws(withAllocation(), 0, 2)).toEqual(withAllocation());
    expect(someDraws({ ...chain(), latent: Float64Array.of(1, 2, 3, 4) }, 1, 2)).toEqual({
      draws: 1,
      classes: 3,
      categories: 4,
      weights: chain().weights.subarray(3),
      probabilities: chain().probabilities.subarray(12),
      concentration: Float64Array.of(1.3),
      occupiedClasses: Uint16Array.of(3),
      logLikelihood: Float64Array.of(-11.25),
      latent: Float64Array.of(3, 4),
    });
  });
});

describe('decodeChainDraws()', () => {
  it('gives back what encodeChainDraws() was given', () => {
    expect(decodeChainDraws(encodeChainDraws(chain()))).toEqual(chain());
  });

  it('copies nothing', () => {
    const bytes = encodeChainDraws(chain());
    expect(decodeChainDraws(bytes).probabilities.buffer).toBe(bytes.buffer);
  });

  it('does not look at arrays of other names', () => {
    const states = { data: new Uint8Array(3), shape: [3] };
    expect(decodeChainDraws(fileWith({ states }))).toEqual(chain());
  });

  it.each(NAMES)('refuses a chain without %s, naming it and the file', (name) => {
    const decode = () => decodeChainDraws(fileWith({ [name]: undefined }), 'draws/base/1.npz');
    expect(decode).toThrow(ArtifactError);
    expect(decode).toThrow(expect.objectContaining({ code: 'chain-malformed' }));
    expect(decode).toThrow(/^draws\/base\/1\.npz: /);
  });

  it.each<[string, string, NpyArray]>([
    ['an array of another shape', 'weights', { data: new Float64Array(6), shape: [3, 2] }],
    ['an array of another type', 'weights', { data: new Float32Array(6), shape: [2, 3] }],
    ['fewer draws than the others have', 'concentration', { data: new Float64Array(1), shape: [1] }],
    ['probabilities of two dimensions', 'probabilities', { data: new Float64Array(6), shape: [2, 3] }],
    ['no draws', 'probabilities', { data: new Float64Array(0), shape: [0, 4, 3] }],
  ])('refuses %s', (_, name, array) => {
    const decode = () => decodeChainDraws(fileWith({ [name]: array }));
    expect(decode).toThrow(ArtifactError);
    expect(decode).toThrow(/^draws: \S/);
    expect(decode).toThrow(expect.objectContaining({ code: 'chain-malformed' }));
  });
});
