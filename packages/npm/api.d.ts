/**
 * What programs in JavaScript and TypeScript can call: the same runs as those of the command line, in this thread, over a store.
 * The command line is faster for large tables, since it uses every core.
 */
import type { Settings, Summary } from './documents.d.ts';

export type { Settings, Summary };

/** Version of the program. A run is continued by the version that began it. */
export declare const VERSION: string;

/** Where a run is kept: bytes under keys, which are paths such as `runs/<runId>/plan.json`. */
export interface Store {
  get(key: string, range?: { readonly start: number; readonly end: number }): Promise<Uint8Array>;
  put(key: string, bytes: Uint8Array, options?: { readonly ifAbsent?: boolean }): Promise<'written' | 'present'>;
  putPieces(key: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
  change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void>;
  list(prefix: string): Promise<string[]>;
  head(key: string): Promise<{ bytes: number } | null>;
}

/** A store that ends with the process. Each of the classes here has the members of {@link Store}. */
export declare const MemoryStore: new () => Store;

/** A store in a folder that its owner alone can read: the object with a key is the file of that path. */
export declare const FileStore: new (directory: string) => Store;

/** Units of work done in a phase of a run. */
export interface Progress {
  readonly phase: 'fit' | 'synthesize' | 'augment' | 'assess' | 'report';
  readonly done: number;
  readonly total: number;
}

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
  readonly store: Store;
}

/**
 * Fits the model, synthesizes the datasets, and measures what an intruder could learn about every record.
 *
 * @throws SynthriskError whose `code` says why: bad settings or a bad table, a result that is not a number, or that it was ended
 */
export declare function evaluate(input: RunInput): Promise<FinishedRun>;

/** Fits the model and synthesizes the datasets, and no more. */
export declare function synthesize(input: RunInput): Promise<FinishedRun>;

/** Measures what an intruder could learn from datasets that were made elsewhere. */
export declare function assess(input: RunInput & { readonly datasets: readonly Uint8Array[] }): Promise<FinishedRun>;

/** What every refusal and failure is: a message for a person, and a code for a program. No message holds a value of the table. */
export declare abstract class SynthriskError extends Error {
  /** Such as `malformed-config`; stays the same over versions. */
  readonly code: string;
  /** The exit code of the command line: 2 for bad input, 3 for a failed run, 130 for one that was ended. */
  abstract readonly exitCode: 2 | 3 | 4 | 130;
}
