import type { ErrorReport } from '../../shared/contracts/errors.ts';
import type { Comparison } from '../../shared/contracts/results/comparison.ts';
import type { MaskingResult } from '../../shared/contracts/results/masking.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import type { ListedField } from '../../shared/contracts/settings/list-fields.ts';
import type { MaskFlags } from '../../shared/contracts/settings/masking-settings.ts';
import type { RunEstimate } from '../../shared/estimate/estimate-run.ts';
import type { Phase } from '../../shared/pipeline/life/carry-out.ts';
import type { VerifiedRelease } from '../../shared/pipeline/release/release-state.ts';
import type { DescribedColumn } from '../../shared/table/describe/describe-table.ts';
import type { ThreadPorts } from './task-thread.ts';

/** A file as a person has chosen it. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A table and how it is to be evaluated, as a person has chosen it. */
export interface Chosen {
  readonly name: string;
  readonly table: Uint8Array;
  /** Text of `run.yaml`. */
  readonly settings: string;
  /** Files that the settings name, by their paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Datasets that were made elsewhere, which are then assessed; none where a run makes its own. */
  readonly synthetic: readonly NamedFile[];
  /** Id of a run that the page holds, whose datasets are assessed from the draws that generated them. */
  readonly ofRun?: string;
}

/** A run that has finished, here or elsewhere. */
export interface Finished {
  readonly runId: string;
  /** What its folder is called. */
  readonly name: string;
  readonly purpose: 'evaluate' | 'synthesize' | 'assess' | 'calibrate' | 'replicate';
  /** Version that carried it out. */
  readonly version: string;
  /** Null of a calibration, which has no release. */
  readonly summary: Summary | null;
  /** What it came to in a line, where risk was assessed. */
  readonly verdict: string | null;
  /** The report as one page; null where no risk was assessed. */
  readonly report: string | null;
}

/** Runs side by side. */
export interface Compared {
  readonly comparison: Comparison;
  /** What a terminal says of it. */
  readonly lines: readonly string[];
  readonly page: string;
  /** What `compare --out` writes, as a ZIP archive. */
  readonly archive: Uint8Array;
}

/** A masked table. */
export interface Masked {
  readonly result: MaskingResult;
  readonly page: string;
  /** The folder that `mask` writes, as a ZIP archive. */
  readonly archive: Uint8Array;
}

/** What the page asks its engine, and what that answers. */
export interface Questions {
  /** The columns as a run would read them, and what a run would be refused for. */
  describe: {
    readonly asked: Chosen;
    readonly answer: { records: number; columns: readonly DescribedColumn[]; refused: ErrorReport | null };
  };
  /** What can be set, each field with its meaning. */
  settings: { readonly asked: Record<never, never>; readonly answer: readonly ListedField[] };
  /** The text of a `run.yaml` under which the table can be evaluated. */
  suggest: { readonly asked: Chosen; readonly answer: string };
  plan: {
    readonly asked: Chosen & { readonly jobs: number };
    readonly answer: { combinations: number; estimate: Omit<RunEstimate, 'stepMemory'>; warnings: readonly string[] };
  };
  evaluate: {
    /** With a passphrase the run is kept among the private files of the browser. */
    readonly asked: Chosen & { readonly jobs: number; readonly releaseKey?: Uint8Array; readonly passphrase?: string };
    readonly answer: Finished;
  };
  /** What of a run the browser can keep among its private files: null where it gives the page none, or else whether there is something. */
  kept: { readonly asked: Record<never, never>; readonly answer: { readonly isKept: boolean } | null };
  /** Removes what is kept there, and says which of the runs that the page holds have gone with it. */
  clear: { readonly asked: Record<never, never>; readonly answer: readonly string[] };
  /** A run from the ZIP archive of its folder. */
  open: { readonly asked: NamedFile; readonly answer: Finished };
  /** Runs that were opened or made here, side by side. */
  compare: {
    readonly asked: { readonly runIds: readonly string[]; readonly risk?: string; readonly utility?: string };
    readonly answer: Compared;
  };
  /** A run under other scenarios, without new chains. */
  reassess: {
    readonly asked: {
      readonly runId: string;
      readonly settings: string;
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly jobs: number;
    };
    readonly answer: Finished;
  };
  /** Whether the files of a release are what its manifest describes and somebody has approved. */
  verify: {
    readonly asked: { readonly files: readonly NamedFile[] };
    readonly answer: { release: VerifiedRelease; lines: readonly string[] };
  };
  mask: { readonly asked: Chosen & { readonly flags: MaskFlags; readonly releaseKey?: Uint8Array }; readonly answer: Masked };
  /** The files of a run, or of its release alone, by their paths in a folder that is called as the run is. */
  files: { readonly asked: { readonly runId: string; readonly what: 'run' | 'release' }; readonly answer: ReadonlyMap<string, Uint8Array> };
  /** The same as a ZIP archive. */
  zip: { readonly asked: { readonly runId: string; readonly what: 'run' | 'release' }; readonly answer: Uint8Array };
  /** Lets no further task of the run under way begin, or lets them begin again. */
  pause: { readonly asked: { readonly isPaused: boolean }; readonly answer: null };
  cancel: { readonly asked: Record<never, never>; readonly answer: null };
  /** A thread of the run under way has failed, and the run with it. */
  failed: { readonly asked: Record<never, never>; readonly answer: null };
}

/** What the page can ask. */
export type Verb = keyof Questions;

/** How far a run is, before its answer comes. */
export interface Progress {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
}

/** What the engine says: of a run how far it is, that a thread is to start or all are to end; to a question its answer or why there is none. */
export type Said =
  | { readonly start: ThreadPorts }
  | { readonly end: true }
  | { readonly progress: Progress }
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly error: ErrorReport };
