/**
 * What programs in JavaScript and TypeScript can call: the runs of the command line, in this thread, over a store, to the same
 * bytes under the same keys. The command line is faster for large tables, since it uses every core.
 *
 * A run that is kept, a release that was made elsewhere, and what becomes of errors:
 *
 * ```js
 * import { readFile } from 'node:fs/promises';
 * import { assess, evaluate, FileStore, SynthriskError } from 'synthrisk';
 *
 * const table = await readFile('household.csv');
 * const settings = {
 *   model: { name: 'cart' },
 *   synthesis: { synthesized: ['education', 'employment'], datasets: 2 },
 *   mcmc: { precision: 'quick' },
 *   utility: 'off',
 * };
 * try {
 *   const { runId, store, summary } = await evaluate({
 *     table,
 *     settings,
 *     store: new FileStore('runs'),
 *     onProgress: ({ phase, done, total }) => console.error(phase, done, total),
 *   });
 *   for (const { name, value, se } of summary.headline) console.log(name, value, se);
 *
 *   const keys = await store.list(`runs/${runId}/release/`);
 *   const datasets = await Promise.all(keys.map((key) => store.get(key)));
 *   const assessed = await assess({ table, settings, datasets });
 *   console.log(assessed.summary.attributeRisk[0].firstGuessRightAfter);
 * } catch (error) {
 *   if (!(error instanceof SynthriskError)) throw error;
 *   console.error(error.code, error.message);
 *   process.exitCode = error.exitCode;
 * }
 * ```
 */
import type { Settings, Summary } from './documents.d.ts';

/**
 * Fits the model, synthesizes the datasets, and measures what an intruder could learn about every record.
 *
 * @throws SynthriskError whose `code` says why: bad settings, a bad table, a run that failed or was ended.
 */
export declare function evaluate(input: RunInput): Promise<FinishedRun>;

/** Fits the model and synthesizes the datasets, and no more. Throws as {@link evaluate}. */
export declare function synthesize(input: RunInput): Promise<FinishedRun>;

/** Measures what an intruder could learn from datasets that were made elsewhere, a file each. Throws as {@link evaluate}. */
export declare function assess(input: RunInput & { readonly datasets: readonly Uint8Array[] }): Promise<FinishedRun>;

/** What a run is given. */
export interface RunInput {
  /** Bytes of the confidential table: CSV, Parquet or Excel. */
  readonly table: Uint8Array;
  /** What a config file can say, but for `table`. */
  readonly settings?: Settings;
  /** Bytes of the files that the settings name, by the paths that they have there. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Default: a {@link MemoryStore}. The same input in the same store goes on where an earlier call stopped. */
  readonly store?: Store;
  /** Bytes of a release key's file, to repeat a release. Default: a new one, which the store keeps. */
  readonly releaseKey?: Uint8Array;
  readonly onProgress?: (progress: Progress) => void;
  /** Ends the run between two tasks. */
  readonly signal?: AbortSignal;
}

/** A run that has finished. Its keys begin with `runs/<runId>/`; what is below `confidential/` is as secret as the table. */
export interface FinishedRun {
  readonly runId: string;
  readonly summary: Summary;
  /** The one that was given, or a new one in memory. */
  readonly store: Store;
}

/** Units of work done in a phase of a run. */
export interface Progress {
  readonly phase: 'fit' | 'synthesize' | 'augment' | 'assess' | 'report';
  readonly done: number;
  readonly total: number;
}

/**
 * Where a run is kept: bytes under keys, which are paths such as `runs/<runId>/plan.json`. A class of your own may be one; an object
 * appears under its key when it is whole, never before.
 */
export interface Store {
  /**
   * The bytes of an object, or of a range of it, cut to the object. The caller may change them.
   *
   * @throws an error where no object has the key
   */
  get(key: string, range?: { readonly start: number; readonly end: number }): Promise<Uint8Array>;
  /** Stores an object in place of another. With `ifAbsent` another stays, and the answer is `present`. */
  put(key: string, bytes: Uint8Array, options?: { readonly ifAbsent?: boolean }): Promise<'written' | 'present'>;
  /** Stores an object that arrives in pieces. */
  putPieces(key: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
  /** Stores what `make` gives for the object, or for null where there is none; null leaves all as it is. No other change is lost. */
  change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void>;
  /** All keys that begin so, sorted. */
  list(prefix: string): Promise<string[]>;
  /** The size of an object; null where no object has the key. */
  head(key: string): Promise<{ bytes: number } | null>;
}

/** A {@link Store} in a folder that its owner alone can read: the object with a key is the file of that path. */
export declare const FileStore: new (directory: string) => Store;

/** A {@link Store} that ends with the process. */
export declare const MemoryStore: new () => Store;

/** What every refusal and failure is: a message for a person, and a code for a program. No message holds a value of the table. */
export declare abstract class SynthriskError extends Error {
  /** Such as `malformed-config`; stays the same over versions. */
  readonly code: string;
  /** The exit code of the command line: 2 for bad input, 3 for a failed run, 130 for one that was ended. */
  abstract readonly exitCode: 2 | 3 | 4 | 130;
}

/**
 * What a config file can say, and the document `summary.json`: types that are made from their schemas. What the settings are,
 * `synthrisk schema` prints.
 */
export type { Settings, Summary };

/** Version of the program. A run is continued by the version that began it. */
export declare const VERSION: string;
