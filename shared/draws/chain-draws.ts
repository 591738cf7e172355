import { z } from 'zod';
import { ArtifactError } from '../contracts/errors.ts';
import { decodeNpy, encodeNpy, type NpyData } from './npy.ts';

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

/** The file that is written last: a chain that has it is whole. */
export const MANIFEST = 'manifest.json';

const count = z.int().positive();

/** What a chain's folder holds: sizes, and the shape of each array by file name. */
const chainManifestSchema = z.strictObject({
  draws: count,
  classes: count,
  categories: count,
  latent: count.optional(),
  arrays: z.record(z.string(), z.array(z.int().nonnegative())),
});

/** Sizes of a chain's arrays; `latent` is the numbers of a draw, and absent without them. */
type Sizes = Omit<z.infer<typeof chainManifestSchema>, 'arrays'>;
type ArrayName = Exclude<keyof ChainDraws, 'draws' | 'classes' | 'categories'>;

interface ArrayLayout {
  readonly field: ArrayName;
  readonly file: string;
  readonly elements: Float64ArrayConstructor | Uint16ArrayConstructor;
  readonly shape: (sizes: Sizes) => number[];
}

/** The one place that knows which file holds what, in which shape. */
const LAYOUT: readonly ArrayLayout[] = [
  {
    field: 'weights',
    file: 'weights.npy',
    elements: Float64Array,
    shape: ({ draws, classes }) => [draws, classes],
  },
  {
    field: 'probabilities',
    file: 'probabilities.npy',
    elements: Float64Array,
    shape: ({ draws, categories, classes }) => [draws, categories, classes],
  },
  {
    field: 'concentration',
    file: 'concentration.npy',
    elements: Float64Array,
    shape: ({ draws }) => [draws],
  },
  {
    field: 'occupiedClasses',
    file: 'occupied-classes.npy',
    elements: Uint16Array,
    shape: ({ draws }) => [draws],
  },
  {
    field: 'logLikelihood',
    file: 'log-likelihood.npy',
    elements: Float64Array,
    shape: ({ draws }) => [draws],
  },
];

const LATENT: ArrayLayout = {
  field: 'latent',
  file: 'latent.npy',
  elements: Float64Array,
  shape: ({ draws, latent = 0 }) => [draws, latent],
};

const layoutOf = ({ latent }: Sizes) => (latent === undefined ? LAYOUT : [...LAYOUT, LATENT]);

/** Names of the files that hold the draws of a chain without latent numbers, in the order in which they are written. */
export const CHAIN_FILES: readonly string[] = [...LAYOUT.map(({ file }) => file), MANIFEST];

/**
 * Names of the files that hold the draws of the chain with a manifest, which comes last.
 *
 * @throws ArtifactError `chain-malformed` when the manifest is not one
 */
export function chainFiles(manifest: Uint8Array): string[] {
  return [...layoutOf(decodeManifest(manifest)).map(({ file }) => file), MANIFEST];
}

/**
 * The files that hold a chain's draws, by name: one `.npy` for each array, and `manifest.json` last. Write
 * them in this order: a manifest that is there means that the chain is whole.
 *
 * @throws RangeError when an array has not the length that `draws`, `classes` and `categories` give it.
 */
export function encodeChainDraws(chain: ChainDraws): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const arrays: Record<string, number[]> = {};
  const { draws, classes, categories } = chain;
  const sizes: Sizes = { draws, classes, categories };
  if (chain.latent) sizes.latent = chain.latent.length / draws;
  for (const { field, file, shape } of layoutOf(sizes)) {
    arrays[file] = shape(sizes);
    files.set(file, encodeNpy(chain[field]!, arrays[file]));
  }
  const manifest = chainManifestSchema.parse({ ...sizes, arrays });
  files.set(MANIFEST, new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`));
  return files;
}

/**
 * The draws of a chain from its files, as `encodeChainDraws` names them. Files of other names are not
 * looked at. Arrays are views of the given bytes where these are aligned.
 *
 * @throws ArtifactError `chain-incomplete` when the manifest or an array is absent; `chain-malformed` when
 * the manifest is not one, or an array has not the type and shape that the manifest's sizes give it;
 * `npy-malformed` and `npy-unsupported` as `decodeNpy`.
 */
export function decodeChainDraws(files: ReadonlyMap<string, Uint8Array>): ChainDraws {
  const manifest = decodeManifest(required(files, MANIFEST));
  const decoded = new Map<ArrayName, NpyData>();
  for (const { field, file, elements, shape } of layoutOf(manifest)) {
    const expected = shape(manifest).join(' x ');
    const announced = manifest.arrays[file]?.join(' x ');
    if (announced !== expected) {
      throw malformed(
        `${MANIFEST} gives ${file} the shape ${announced ?? 'of nothing'}, expected ${expected}`,
      );
    }
    const array = decodeNpy(required(files, file), file);
    if (array.shape.join(' x ') !== expected) {
      throw malformed(`${file} has the shape ${array.shape.join(' x ')}, expected ${expected}`);
    }
    if (!(array.data instanceof elements)) throw malformed(`${file} must hold ${elements.name} elements`);
    decoded.set(field, array.data);
  }
  const { draws, classes, categories } = manifest;
  // The loop has checked every field's type against the layout, which the compiler cannot follow.
  return { draws, classes, categories, ...Object.fromEntries(decoded) } as unknown as ChainDraws;
}

function required(files: ReadonlyMap<string, Uint8Array>, file: string): Uint8Array {
  const bytes = files.get(file);
  if (bytes === undefined) throw new ArtifactError('chain-incomplete', `A chain's ${file} is missing`);
  return bytes;
}

function decodeManifest(bytes: Uint8Array): z.infer<typeof chainManifestSchema> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw malformed(`${MANIFEST} is not JSON`);
  }
  const manifest = chainManifestSchema.safeParse(json);
  if (!manifest.success) throw malformed(`${MANIFEST}: ${z.prettifyError(manifest.error)}`);
  return manifest.data;
}

function malformed(message: string): ArtifactError {
  return new ArtifactError('chain-malformed', message);
}
