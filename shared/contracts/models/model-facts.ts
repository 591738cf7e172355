import * as z from 'zod';
import type { Candidates } from '../candidates.ts';
import type { DensityFields } from '../continuous.ts';
import type { TableSchema } from '../schema.ts';

/** What a user has set of a config, by section, before defaults were filled in. */
export type Given = Readonly<Record<string, unknown>>;

/** What of a config with all defaults the refusals of a model read. */
export interface AskedConfig {
  readonly model: { readonly name: string; readonly proper?: boolean };
  readonly variables: Readonly<Record<string, DensityFields & { readonly candidates?: unknown }>>;
  readonly synthesis: {
    readonly synthesized: 'all' | readonly string[];
    readonly missing: string;
    readonly structuralZeros?: string | undefined;
  };
  readonly attributeRisk: {
    readonly estimator: string;
    readonly slope: number;
    readonly phi: string;
    readonly marginals?: unknown;
    readonly scenarios: readonly { readonly candidates: Candidates; readonly prior: unknown }[];
  };
  readonly mcmc: { readonly precision: string };
}

/** What not every model offers. */
type Offer =
  | 'impute'
  | 'structural-zeros'
  /** Continuous variables by a density on a declared range: their scale, masses and decimals, and missing ones left to the model. */
  | 'densities'
  /** Intruders who do not have all records but one. */
  | 'lesser-knowledge'
  /** Candidates scored with phi integrated out. */
  | 'integrated-phi'
  /** From draws alone, how many rows of a release are expected to be copies. */
  | 'expected-copies';

/** A synthesizer as far as a config and the pages know it; what it does is in `shared/pipeline/synthesizers/`. */
export interface ModelFacts {
  /** Its name in a config. */
  readonly name: string;
  /** What may be set of it, `name` among them, with defaults. */
  readonly settings: z.ZodObject<{ name: z.ZodType<string, string | undefined> }>;
  /** As the page that anybody may read calls it. */
  readonly inWords: string;
  /** Its sources, as docs/reference/references.md cites them. */
  readonly references: readonly string[];
  /** How its risk is found: from simulated chains, from counts in closed form, or from trees grown with each record and without. */
  readonly method: 'sampled' | 'counted' | 'grown';
  /** Whether it is fitted to the distinct rows of categories with their counts, or to records, which may have numbers. */
  readonly fits: 'combinations' | 'records';
  readonly offers: readonly Offer[];
  /** Why a public page states no probabilities under it; where it is left out, it does. */
  readonly untold?: string;
  /** Refuses settings that it could only ignore (InvalidConfigError), or does not offer (UnsupportedOptionError). */
  refuse(given: Given, config: AskedConfig): void;
  /** Why attribute risk does not apply to it and a table, beside what holds for all models; null where it does. */
  riskReason?(config: AskedConfig, table: { readonly schema: TableSchema; readonly records: number }): string | null;
}

/** Prior of the concentration of a Dirichlet process: Gamma(shape, rate), or a fixed value. */
export const concentrationSchema = z.union([
  z.strictObject({ shape: z.number().positive(), rate: z.number().positive() }),
  z.strictObject({ value: z.number().positive() }),
]);
