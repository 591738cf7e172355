import type { NpyArray, NpyData } from '../../arrays/npy.ts';
import { decodeNpz, encodeNpz } from '../../arrays/npz.ts';
import { ArtifactError } from '../../contracts/errors.ts';
import type { Allocation } from './chain-sampler.ts';

/** The draws that one chain kept. All arrays are in C order; probabilities are shares, not logarithms. */
export interface ChainDraws {
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
  /** The allocation behind each draw, for phi to be integrated out; where that is wanted. */
  allocation?: DrawnAllocation;
}

/** The allocations behind the draws of a chain (`Allocation` of chain-sampler.ts). */
interface DrawnAllocation {
  /** draws x categories x classes. */
  readonly counts: Uint32Array;
  /** draws x combinations: the first ones of the chain's table, or those that were asked for. */
  readonly classOfCombination: Uint16Array;
  /** draws x numbers; where values are continuous. */
  readonly valueSums?: Float64Array;
}

/** Sizes of a chain's arrays; `latent` and `valueSums` are the numbers of a draw, and absent without them; `allocated` says whether there are counts. */
type Sizes = Pick<ChainDraws, 'draws' | 'classes' | 'categories'> & {
  readonly latent?: number;
  readonly allocated?: boolean;
  readonly valueSums?: number;
};

type DrawArrays = Omit<ChainDraws, 'draws' | 'classes' | 'categories' | 'allocation'> & {
  readonly counts?: Uint32Array;
  readonly valueSums?: Float64Array;
};

interface ArrayLayout {
  readonly field: keyof DrawArrays;
  readonly name: string;
  readonly elements: Float64ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor;
  readonly shape: (sizes: Sizes) => number[];
}

const perDraw: ArrayLayout['shape'] = ({ draws }) => [draws];
const perClass: ArrayLayout['shape'] = ({ draws, classes }) => [draws, classes];
const perCategory: ArrayLayout['shape'] = ({ draws, categories, classes }) => [draws, categories, classes];

/** The one place that knows which array has which name and shape. The largest, which has all sizes, is named for them. */
const LAYOUT: readonly ArrayLayout[] = [
  { field: 'weights', name: 'weights', elements: Float64Array, shape: perClass },
  { field: 'probabilities', name: 'probabilities', elements: Float64Array, shape: perCategory },
  { field: 'concentration', name: 'concentration', elements: Float64Array, shape: perDraw },
  { field: 'occupiedClasses', name: 'occupied-classes', elements: Uint16Array, shape: perDraw },
  { field: 'logLikelihood', name: 'log-likelihood', elements: Float64Array, shape: perDraw },
];
const LATENT: ArrayLayout = { field: 'latent', name: 'latent', elements: Float64Array, shape: ({ draws, latent = 0 }) => [draws, latent] };
const COUNTS: ArrayLayout = { field: 'counts', name: 'category-counts', elements: Uint32Array, shape: perCategory };
const SUMS: ArrayLayout = {
  field: 'valueSums',
  name: 'value-sums',
  elements: Float64Array,
  shape: ({ draws, valueSums = 0 }) => [draws, valueSums],
};

const layoutOf = ({ latent, allocated, valueSums }: Sizes) => [
  ...LAYOUT,
  ...(latent === undefined ? [] : [LATENT]),
  ...(allocated ? [COUNTS] : []),
  ...(valueSums === undefined ? [] : [SUMS]),
];

/**
 * The file that holds a chain's draws: an uncompressed `.npz` of NumPy, with one array a field. Of allocations it has the
 * counts; the classes of combinations are in a file of their own, of which a batch reads its part.
 *
 * @throws RangeError for an array of another length than sizes give it; UnsupportedOptionError `chain-too-large` above 4
 * GiB
 */
export function encodeChainDraws(chain: ChainDraws): Uint8Array {
  const { classes, categories, draws, latent, allocation } = chain;
  const allocated = allocation !== undefined;
  const { counts, valueSums } = allocation ?? {};
  const sizes: Sizes = {
    draws,
    classes,
    categories,
    allocated,
    ...(latent && { latent: latent.length / draws }),
    ...(valueSums && { valueSums: valueSums.length / draws }),
  };
  const fields: DrawArrays = { ...chain, ...(counts && { counts }), ...(valueSums && { valueSums }) };
  const arrays = layoutOf(sizes).map(({ field, name, shape }): [string, NpyArray] => [name, { data: fields[field]!, shape: shape(sizes) }]);
  return encodeNpz(new Map(arrays));
}

/**
 * The draws of a chain from its file; arrays are views of the given bytes, and those of other names are not looked at.
 *
 * @param file its name in messages
 * @param classOfCombination of the allocations, draws x combinations; without it they are left out
 * @throws ArtifactError `chain-malformed` when an array is absent, has another type, or a shape that does not go with
 * that of `probabilities`, and what `decodeNpz` throws
 */
export const decodeChainDraws = (bytes: Uint8Array, file = 'draws', classOfCombination?: Uint16Array): ChainDraws =>
  chainDrawsOf(decodeNpz(bytes, file), file, classOfCombination);

/** The same of the arrays of a file that is decoded: what it throws of a file it throws of them. */
export function chainDrawsOf(arrays: ReadonlyMap<string, NpyArray>, file: string, classOfCombination?: Uint16Array): ChainDraws {
  const malformed = (what: string) => new ArtifactError('chain-malformed', `${file}: ${what}`);
  const [draws = 0, categories = 0, classes = 0] = arrays.get('probabilities')?.shape ?? [];
  const widthOf = (name: string) => (arrays.has(name) ? (arrays.get(name)!.shape[1] ?? 0) : undefined);
  const latent = widthOf(LATENT.name);
  const allocated = classOfCombination !== undefined;
  const valueSums = allocated ? widthOf(SUMS.name) : undefined;
  const sizes: Sizes = {
    draws,
    classes,
    categories,
    allocated,
    ...(latent !== undefined && { latent }),
    ...(valueSums !== undefined && { valueSums }),
  };
  const fields = new Map<keyof DrawArrays, NpyData>();
  for (const { elements, field, name, shape } of layoutOf(sizes)) {
    const array = arrays.get(name);
    if (array === undefined) throw malformed(`there is no array ${name}`);
    const expected = shape(sizes).join(' x ');
    if (array.shape.join(' x ') !== expected || draws * classes === 0) {
      throw malformed(`${name} has the shape ${array.shape.join(' x ')}, expected ${expected}`);
    }
    if (!(array.data instanceof elements)) throw malformed(`${name} must hold ${elements.name} elements`);
    fields.set(field, array.data);
  }
  // The loop has checked every field's type against the layout, which the compiler cannot follow.
  const { counts, valueSums: sums, ...others } = Object.fromEntries(fields) as unknown as DrawArrays;
  const allocation = counts && classOfCombination && { allocation: { counts, classOfCombination, ...(sums && { valueSums: sums }) } };
  return { draws, classes, categories, ...others, ...allocation };
}

/** One draw as it is scored. */
export type ScoredDraw = Pick<ChainDraws, 'weights' | 'probabilities'> & { readonly allocation?: Allocation };

/** A draw (from 0) as it is scored, sharing its arrays with the chain. */
export function oneDraw(chain: ChainDraws, draw: number): ScoredDraw {
  const { weights, probabilities, allocation } = someDraws(chain, draw, draw + 1);
  return { weights, probabilities, ...(allocation && { allocation }) };
}

/** All draws as they are scored. */
export const eachDraw = (chain: ChainDraws): ScoredDraw[] => Array.from({ length: chain.draws }, (_, draw) => oneDraw(chain, draw));

/** The draws `from` (from 0) up to but without `to`, sharing their arrays with the chain. */
export function someDraws(chain: ChainDraws, from: number, to: number): ChainDraws {
  const { draws, classes, categories } = chain;
  const part = <A extends Float64Array | Uint16Array | Uint32Array>(array: A) => {
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
    ...(chain.allocation && {
      allocation: {
        counts: part(chain.allocation.counts),
        classOfCombination: part(chain.allocation.classOfCombination),
        ...(chain.allocation.valueSums && { valueSums: part(chain.allocation.valueSums) }),
      },
    }),
  };
}
