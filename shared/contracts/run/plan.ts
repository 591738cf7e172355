import * as z from 'zod';
import { configSchema, priorName } from '../config/config.ts';
import { openKnowledge } from '../config/knowledge.ts';
import { count, positiveInteger } from '../number-schemas.ts';
import { runId, version } from '../shared-fields.ts';
import { purposeSchema } from './run-state.ts';
import { warningSchema } from './warning.ts';

/** Combinations, or targets of a calibration, `from` up to but without `to` (from 0), assessed by one function call. */
const batchSchema = z.strictObject({
  batch: z.int().positive(),
  /** The scenario (from 1) under which they are. */
  scenario: z.int().positive(),
  from: z.int().nonnegative(),
  to: z.int().positive(),
});

/** Where the datasets come from: made by this run, taken with their draws from another, or `elsewhere`, where no draw is known. */
const datasetOriginSchema = z.enum(['synthesized', 'run', 'elsewhere']);

/** `confidential/plan.json`: everything that a run will do, decided before it starts. */
export const planSchema = z.strictObject({
  version: z.string(),
  runId: z.string(),
  purpose: purposeSchema,
  /** Day on which the run was planned (UTC), for the report; no result depends on it. Older runs have none. */
  startedOn: z.iso.date().optional(),
  /** `synthesis.structuralZeros`, `attributeRisk.control`, files of priors and of known records are the SHA-256 of their files. */
  config: configSchema,
  table: z.strictObject({
    sha256: z.string(),
    records: z.int().describe('Records of the confidential table.'),
    variables: z.int().describe('Its variables.'),
    /** Distinct rows. */
    combinations: z.int(),
    /** Cells of the cross-classification of all variables; may exceed whole-number range. Null with a continuous one. */
    cells: z.number().nullable(),
    /** Combinations that one record has. */
    sampleUniques: z.int(),
  }),
  datasets: z.strictObject({
    count: z.int().positive().describe('How many.'),
    origin: datasetOriginSchema.describe('`synthesized` by this run, of an earlier `run`, or made `elsewhere`.'),
  }),
  /** Classes of a draw: latent ones of the DPMPM, patterns of DP-areal; 0 where the model has no draws. */
  classes: z.int().nonnegative(),
  /** People of the control, where there is one. */
  controlRecords: z.int().positive().optional(),
  /** Of the scenario that has the most; 0 where there is no attribute risk, since the model scores no guess. */
  candidatesPerCombination: z.int().nonnegative(),
  /** Candidates of a combination in each scenario; empty where there is no attribute risk. */
  scenarioCandidates: z.array(z.int().positive()),
  /** Why no guess is scored though the settings have it: the datasets that were given cannot be of the model. */
  unscored: z.string().optional(),
  /** Why no figure of the datasets that were given could be relied upon: they are the table, or rows of records. */
  notAssessable: z.string().optional(),
  /** By which the release key is known again: see `keyCheck` of `shared/artifacts/stored-keys.ts`. */
  keyCheck: z.string().optional(),
  batches: z.array(batchSchema),
  warnings: z.array(warningSchema),
});

/** Everything that a run will do. */
export type Plan = z.infer<typeof planSchema>;

/** What a report says of a run beside its figures, where its plan says it: also the day on which it was planned (UTC). */
export type ReportHeading = NonNullable<Plan['config']['report']> & Pick<Plan, 'startedOn'>;

/**
 * `plan.json`: what anybody may know of a run who watches it. No digest, and no figure of the table but those that
 * docs/explanation/threat-model.md takes for public: records, variables, and into how many batches its rows are cut.
 */
export const openPlanSchema = z.strictObject({
  version,
  runId,
  purpose: purposeSchema.describe('`evaluate`, `synthesize`, `assess`, `calibrate` or `replicate`.'),
  /** How much is computed, section by section, and nothing else: other settings may hold values or figures of the table. */
  config: z.record(z.string(), z.unknown().describe('A section.')).describe('How much is computed, section by section.'),
  table: planSchema.shape.table.pick({ records: true, variables: true }).describe('The confidential table, in numbers.'),
  datasets: planSchema.shape.datasets.describe('Synthetic datasets.'),
  batches: z.int().nonnegative().describe('Into how many batches the rows are cut.'),
});

/** What of a plan stands in the open, as {@link openPlanSchema} reads it. */
export function openPlanOf({ version, runId, purpose, config, table, datasets, batches }: Plan): object {
  const { mcmc, model, synthesis, attributeRisk } = config;
  const { structuralZeros: _, ...openSynthesis } = synthesis;
  // The slope is one that a calibration found on the table, names of scenarios may say anything, and what is acceptable is
  // the agency's own. The people of a control are not among it.
  const { slope: __, acceptanceRegion: ___, control: ____, scenarios, ...openRisk } = attributeRisk;
  const openScenarios = scenarios.map(({ candidates, prior, knows }) => ({
    candidates,
    prior: priorName(prior),
    ...(knows ? { knows: openKnowledge(knows) } : {}),
  }));
  return {
    version,
    runId,
    purpose,
    config: { mcmc, model, synthesis: openSynthesis, attributeRisk: { ...openRisk, scenarios: openScenarios } },
    table: { records: table.records, variables: table.variables },
    datasets,
    batches: batches.length,
  };
}

/** Where a dataset's generating draw is: a chain's folder and the draw's index in it (from 0). */
export const datasetSourceSchema = z.strictObject({
  origin: datasetOriginSchema,
  records: z.int().positive(),
  chain: z.string().nullable(),
  draw: z.int().nonnegative().nullable(),
  /** Iteration of the chain at which the draw was taken. */
  iteration: z.int().positive().nullable(),
  /** SHA-256 of the file to release, where a run has made one. */
  released: z.string().optional(),
});

/** Where a dataset's generating draw is. */
export type DatasetSource = z.infer<typeof datasetSourceSchema>;

const ofRun = { runId: z.string() };

/**
 * One unit of work of a run: what a worker thread or a function is handed. Numbers are from 1.
 * `pair` runs the paired chain `chain` of a dataset; `learn` runs a chain of an intruder who knows less, on the records
 * that he has in a scenario and a dataset (0: no dataset); `weigh` finds the log-likelihood of every dataset under
 * the draws of base chain `chain`; `score` finds the log-likelihoods of the targets of a replicate. Where the model is
 * of trees, `grow` grows that of a synthesized variable, by its place in the order of visits, and `drop` draws a dataset
 * from all of them. Where it is of counts, `draw` draws a dataset.
 */
export const taskSchema = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('fit'), ...ofRun, chain: positiveInteger }),
  z.strictObject({ step: z.literal('synthesize'), ...ofRun, chain: positiveInteger }),
  z.strictObject({ step: z.literal('pair'), ...ofRun, dataset: positiveInteger, chain: positiveInteger }),
  z.strictObject({ step: z.literal('learn'), ...ofRun, scenario: positiveInteger, dataset: count, chain: positiveInteger }),
  z.strictObject({ step: z.literal('weigh'), ...ofRun, chain: positiveInteger }),
  z.strictObject({ step: z.literal('assess'), ...ofRun, round: positiveInteger, batch: positiveInteger }),
  z.strictObject({ step: z.literal('score'), ...ofRun, batch: positiveInteger }),
  z.strictObject({ step: z.literal('grow'), ...ofRun, place: positiveInteger }),
  z.strictObject({ step: z.literal('drop'), ...ofRun, dataset: positiveInteger }),
  z.strictObject({ step: z.literal('draw'), ...ofRun, dataset: positiveInteger }),
  z.strictObject({ step: z.literal('measure'), ...ofRun }),
]);

/** One unit of work of a run. */
export type Task = z.infer<typeof taskSchema>;
