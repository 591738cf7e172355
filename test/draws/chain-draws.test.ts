import { describe, expect, it } from 'vitest';
import { ArtifactError } from '../../shared/contracts/errors.ts';
import {
  CHAIN_FILES,
  type ChainDraws,
  chainFiles,
  decodeChainDraws,
  encodeChainDraws,
} from '../../shared/draws/chain-draws.ts';
import { encodeNpy } from '../../shared/draws/npy.ts';

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

const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('encodeChainDraws()', () => {
  it('names the files, the manifest last', () => {
    expect([...encodeChainDraws(chain()).keys()]).toEqual([
      'weights.npy',
      'probabilities.npy',
      'concentration.npy',
      'occupied-classes.npy',
      'log-likelihood.npy',
      'manifest.json',
    ]);
  });

  it('writes the sizes and shapes into the manifest', () => {
    const manifest = encodeChainDraws(chain()).get('manifest.json')!;
    expect(JSON.parse(new TextDecoder().decode(manifest))).toEqual({
      draws: 2,
      classes: 3,
      categories: 4,
      arrays: {
        'weights.npy': [2, 3],
        'probabilities.npy': [2, 4, 3],
        'concentration.npy': [2],
        'occupied-classes.npy': [2],
        'log-likelihood.npy': [2],
      },
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

  it('have a file of their own, whose length the manifest tells', () => {
    const files = encodeChainDraws(withLatent());
    expect([...files.keys()]).toEqual([...CHAIN_FILES.slice(0, -1), 'latent.npy', 'manifest.json']);
    expect(chainFiles(files.get('manifest.json')!)).toEqual([...files.keys()]);
    expect(JSON.parse(new TextDecoder().decode(files.get('manifest.json')!))).toMatchObject({
      latent: 3,
      arrays: { 'latent.npy': [2, 3] },
    });
    expect(decodeChainDraws(files)).toEqual(withLatent());
  });

  it('are missed when the manifest tells of them', () => {
    const files = encodeChainDraws(withLatent());
    files.delete('latent.npy');
    expect(() => decodeChainDraws(files)).toThrow(
      expect.objectContaining({ code: 'chain-incomplete', message: expect.stringContaining('latent.npy') }),
    );
  });

  it('are refused when they are not as many for each draw', () => {
    expect(() => encodeChainDraws({ ...chain(), latent: new Float64Array(5) })).toThrow();
  });

  it('are no file of a chain without them', () => {
    expect(chainFiles(encodeChainDraws(chain()).get('manifest.json')!)).toEqual(CHAIN_FILES);
  });
});

describe('decodeChainDraws()', () => {
  it('gives back what encodeChainDraws() was given', () => {
    expect(decodeChainDraws(encodeChainDraws(chain()))).toEqual(chain());
  });

  it('does not look at files of other names', () => {
    const files = encodeChainDraws(chain()).set('states.npy', new Uint8Array(3));
    expect(decodeChainDraws(files)).toEqual(chain());
  });

  it.each([...encodeChainDraws(chain()).keys()])('refuses a chain without %s, naming it', (file) => {
    const files = encodeChainDraws(chain());
    files.delete(file);
    expect(() => decodeChainDraws(files)).toThrow(ArtifactError);
    expect(() => decodeChainDraws(files)).toThrow(
      expect.objectContaining({ code: 'chain-incomplete', message: expect.stringContaining(file) }),
    );
  });

  const sizes = { draws: 2, classes: 3, categories: 4 };
  it.each<[string, string, Uint8Array]>([
    ['a manifest that is not JSON', 'manifest.json', Uint8Array.of(0x7b)],
    ['a manifest without shapes', 'manifest.json', text(sizes)],
    ['a manifest without an array', 'manifest.json', text({ ...sizes, arrays: {} })],
    ['no draws', 'manifest.json', text({ ...sizes, draws: 0, arrays: {} })],
    ['an array of another shape', 'weights.npy', encodeNpy(new Float64Array(6), [3, 2])],
    ['an array of another type', 'weights.npy', encodeNpy(new Float32Array(6), [2, 3])],
    ['fewer draws than announced', 'concentration.npy', encodeNpy(new Float64Array(1), [1])],
  ])('refuses %s', (_, file, bytes) => {
    const files = encodeChainDraws(chain()).set(file, bytes);
    expect(() => decodeChainDraws(files)).toThrow(ArtifactError);
    expect(() => decodeChainDraws(files)).toThrow(
      expect.objectContaining({ code: 'chain-malformed', message: expect.stringContaining(file) }),
    );
  });
});
