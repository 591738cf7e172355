import type { NpyArray, NpyData } from '../../arrays/npy.ts';
import { decodeNpz, encodeNpz } from '../../arrays/npz.ts';
import { ArtifactError } from '../../contracts/errors.ts';

/** The draws that one chain kept. All arrays are in C order; probabilities are shares, not logarithms. */
export interface ChainDraws {
  /** Draws kept. */
  draws: number;
  /** Latent classes F, occupied or not. */
  classes: number;
  /** Sum over the variables of their numbers of categories. */
  categories: number;
  /** pi: share of each class; draws x classes. */
  weights: Float64Array;
  /** phi: probability of each category of each variable given the class; draws x categories x classes. */
  probabilities: Float64Array;
  /** alpha of the stick-breaking prior; draws. */
  concentration: Float64Array;
  /** Classes that hold at least one record; draws. */
  occupiedClasses: Uint16Array;
  /** Natural logarithm of the likelihood of the chain's table; draws. */
  logLikelihood: Float64Array;
  /** What a chain of DP-areal needs beside these to go on from a draw, draws x numbers; the DPMPM needs nothing. */
  latent?: Float64Array;
}

/** Sizes of a chain's arrays; `latent` is the numbers of a draw, and absent without them. */
type Sizes = Pick<ChainDraws, 'draws' | 'classes' | 'categories'> & { readonly latent?: number };
type ArrayField = Exclude<keyof ChainDraws, 'draws' | 'classes' | 'categories'>;

interface ArrayLayout {
  readonly field: ArrayField;
  /** Name in the file. */
  readonly name: string;
  readonly elements: Float64ArrayConstructor | Uint16ArrayConstructor;
  readonly shape: (sizes: Sizes) => number[];
}

/** The one place that knows which array has which name and shape. The largest, which has all sizes, is named for them. */
const LAYOUT: readonly ArrayLayout[] = [
  {
    field: 'weights',
    name: 'weights',
    elements: Float64Array,
    shape: ({ draws, classes }) => [draws, classes],
  },
  {
    field: 'probabilities',
    name: 'probabilities',
    elements: Float64Array,
    shape: ({ draws, categories, classes }) => [draws, categories, classes],
  },
  {
    field: 'concentration',
    name: 'concentration',
    elements: Float64Array,
    shape: ({ draws }) => [draws],
  },
  {
    field: 'occupiedClasses',
    name: 'occupied-classes',
    elements: Uint16Array,
    shape: ({ draws }) => [draws],
  },
  {
    field: 'logLikelihood',
    name: 'log-likelihood',
    elements: Float64Array,
    shape: ({ draws }) => [draws],
  },
];

const LATENT: ArrayLayout = {
  field: 'latent',
  name: 'latent',
  elements: Float64Array,
  shape: ({ draws, latent = 0 }) => [draws, latent],
};

const layoutOf = ({ latent }: Sizes) => (latent === undefined ? LAYOUT : [...LAYOUT, LATENT]);

/**
 * The file that holds a chain's draws: an uncompressed `.npz` of NumPy, with one array a field.
 *
 * @throws RangeError when an array has not the length that `draws`, `classes` and `categories` give it;
 * UnsupportedOptionError `chain-too-large` above 4 GiB
 */
export function encodeChainDraws(chain: ChainDraws): Uint8Array {
  const { classes, categories, draws, latent } = chain;
  const sizes: Sizes = { draws, classes, categories, ...(latent && { latent: latent.length / draws }) };
  const arrays = layoutOf(sizes).map(({ field, name, shape }): [string, NpyArray] => [
    name,
    { data: chain[field]!, shape: shape(sizes) },
  ]);
  return encodeNpz(new Map(arrays));
}

/**
 * The draws of a chain from its file, as {@link encodeChainDraws} writes it. Arrays of other names are not looked at.
 * The arrays are views of the given bytes.
 *
 * @param file its name in messages
 * @throws ArtifactError `chain-malformed` when an array is absent, has another type, or has a shape that does not go with
 * that of `probabilities`; `npz-malformed`, `npz-unsupported`, `npy-malformed` and `npy-unsupported` as `decodeNpz`
 */
export function decodeChainDraws(bytes: Uint8Array, file = 'draws'): ChainDraws {
  const malformed = (what: string) => new ArtifactError('chain-malformed', `${file}: ${what}`);
  const arrays = decodeNpz(bytes, file);
  const [draws = 0, categories = 0, classes = 0] = arrays.get('probabilities')?.shape ?? [];
  const latent = arrays.has('latent') ? (arrays.get('latent')!.shape[1] ?? 0) : undefined;
  const sizes: Sizes = { draws, classes, categories, ...(latent !== undefined && { latent }) };
  const fields = new Map<ArrayField, NpyData>();
  for (const { elements, field, name, shape } of layoutOf(sizes)) {
    const array = arrays.get(name);
    if (array === undefined) throw malformed(`there is no array ${name}`);
    const expected = shape(sizes).join(' x ');
    if (array.shape.join(' x ') !== expected || array.data.length === 0) {
      throw malformed(`${name} has the shape ${array.shape.join(' x ')}, expected ${expected}`);
    }
    if (!(array.data instanceof elements)) throw malformed(`${name} must hold ${elements.name} elements`);
    fields.set(field, array.data);
  }
  // The loop has checked every field's type against the layout, which the compiler cannot follow.
  return { draws, classes, categories, ...Object.fromEntries(fields) } as unknown as ChainDraws;
}

/** The draws `from` (from 0) up to but without `to`, sharing their arrays with the chain. */
export function someDraws(chain: ChainDraws, from: number, to: number): ChainDraws {
  const { draws, classes, categories } = chain;
  const part = <A extends Float64Array | Uint16Array>(array: A) => {
    const width = array.length / draws;
    return array.subarray(from * width, to * width) as A;
  };
  return {
    draws: to - from,
    classes,
    categories,
    weights: part(chain.weights),
    probabilities: part(chain.probabilities),
    concentration: part(chain.concentration),
    occupiedClasses: part(chain.occupiedClasses),
    logLikelihood: part(chain.logLikelihood),
    ...(chain.latent && { latent: part(chain.latent) }),
  };
}
