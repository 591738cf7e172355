import * as z from 'zod';
import { errorReportSchema } from '../run/run-state.ts';
import { budgetDollarsSchema } from '../run/usage.ts';
import { codeDigestSchema, MOST_FIT_TASKS } from './cloud-environment.ts';

/** A run's id, as `planRun` makes it. */
export const runIdSchema = z.string().regex(/^[0-9a-f]{16}$/, 'expected 16 hexadecimal digits');

/** The value of a JSON text; undefined, which no schema of a value takes, where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const roundSchema = z.int().positive();

/** Where an object is. */
const objectSchema = z.strictObject({ bucket: z.string().min(1), key: z.string().min(1) });

/** Which of the tables that were put under one key: its version, and by the sequencer which of two is the later one. */
const tableVersionSchema = z.strictObject({ version: z.string().min(1), sequencer: z.string().regex(/^[0-9A-Fa-f]+$/) });

/** A table that was uploaded; without its version it is the one that is there when it is read. */
const uploadSchema = objectSchema.extend({ table: tableVersionSchema.optional() });

/** What the upload rule passes on about an object that was put. */
const uploadEventSchema = z
  .object({
    source: z.literal('aws.s3'),
    detail: z.object({
      bucket: z.object({ name: z.string().min(1) }),
      // The rules of versions before 0.15 pass on the key alone.
      object: z.object({ key: z.string().min(1), 'version-id': z.string().optional(), sequencer: z.string().optional() }),
    }),
  })
  .transform(({ detail: { bucket, object } }): Upload => {
    const { key, sequencer, 'version-id': version } = object;
    return { bucket: bucket.name, key, ...(version && sequencer ? { table: { version, sequencer } } : {}) };
  });

const resumeSchema = z.strictObject({
  runId: runIdSchema,
  resume: z.literal(true),
  /** The execution that had the run when somebody decided to go on with it: if another has it by then, nothing is begun. */
  after: z.string().min(1).optional(),
  /** In place of the budget that the run had. */
  budgetDollars: budgetDollarsSchema.optional(),
});

/** How many tasks share the chains of a round: so many, or as many as are worth it. */
export const fitTasksSchema = z.union([z.literal('auto'), z.int().min(1).max(MOST_FIT_TASKS)]);

/** `budget.json` beside an upload: what its run may cost, and how many tasks share its chains. */
export const uploadBudgetSchema = z.strictObject({ dollars: budgetDollarsSchema.optional(), fitTasks: fitTasksSchema.optional() });

/** What a workflow is started with. */
const workflowInputSchema = z.union([uploadEventSchema, uploadSchema, resumeSchema]);

/** Input of `plan-run`: the id of the workflow's execution, and what the execution was started with. */
export const planInputSchema = z.strictObject({ execution: z.string().min(1), input: workflowInputSchema });

/**
 * Output of `plan-run`. Only a run that is `planned` goes on: a `duplicate` is under way, or failed, under another
 * execution, and `finished` says that its results are there. `manifest` is a JSON array of assess tasks.
 */
export const planOutputSchema = z.strictObject({
  runId: runIdSchema,
  outcome: z.enum(['planned', 'duplicate', 'finished']),
  round: roundSchema,
  manifest: objectSchema,
});

/** A round of a run: what the steps between planning and the report are handed, with other fields, and give back. */
export const roundReferenceSchema = z.object({ runId: runIdSchema, round: roundSchema });

/**
 * One of the `of` tasks (from 1) that share a stage of the chains of a round: those that need no others (1), or those that
 * go on from datasets (2).
 */
export const fitShareSchema = z.strictObject({
  stage: z.union([z.literal(1), z.literal(2)]),
  task: z.int().positive(),
  of: z.int().positive(),
});

/** Input of `fit-model` as a function: a round, and with `share` the part of its chains that is to be run. */
export const fitInputSchema = roundReferenceSchema.extend({ share: fitShareSchema.optional() });

/** Input of `check-budget`: a round, what comes next in it, and the execution that asks. */
export const budgetInputSchema = roundReferenceSchema.extend({ before: z.enum(['chains', 'batches']), execution: z.string().min(1) });

/** Output of `check-budget`: batches to map over, and tasks that share the chains, with the shares of both stages if several. */
export const budgetOutputSchema = roundReferenceSchema.extend({
  tasks: z.int().nonnegative(),
  fit: z.strictObject({ tasks: z.int().positive(), chains: z.array(fitShareSchema), pairs: z.array(fitShareSchema) }),
});

/** A run: what the report is handed, with other fields, and gives back. */
export const runReferenceSchema = z.object({ runId: runIdSchema });

/** Input of `aggregate-run`: a round, and whether a container task has just closed it. */
export const aggregateInputSchema = roundReferenceSchema.extend({ closed: z.boolean().default(false) });

/**
 * Output of `aggregate-run`: the results are there, a container task is to close the round, a next round has tasks, or batches are left
 * over that found no free function.
 */
export const aggregateOutputSchema = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('done'), runId: runIdSchema, round: roundSchema }),
  z.strictObject({ outcome: z.literal('close-in-task'), runId: runIdSchema, round: roundSchema }),
  z.strictObject({ outcome: z.enum(['next-round', 'left-over']), runId: runIdSchema, round: roundSchema, manifest: objectSchema }),
]);

/** One item of the array that `plan-run` wrote. */
const assessInputSchema = z.strictObject({ step: z.literal('assess'), runId: runIdSchema, round: roundSchema, batch: z.int().positive() });

/** One combination (from 1) of a run, whose candidate table a person asks for. */
const recordInputSchema = z.strictObject({ step: z.literal('record'), runId: runIdSchema, combination: z.int().positive() });

/** Input of `assess-batch`: a batch from the workflow, or from a person a combination. */
export const assessTaskSchema = z.discriminatedUnion('step', [assessInputSchema, recordInputSchema]);

/** What `assess-batch` gives back of a combination: the key of its candidate table. */
export const recordOutputSchema = recordInputSchema.omit({ step: true }).extend({ key: z.string().min(1) });

/** Output of `assess-batch`. */
export const assessOutputSchema = z.union([assessInputSchema.omit({ step: true }), recordOutputSchema]);

/** What Step Functions says of an execution, as much of it as is needed: its id, and how often it has been redriven. */
const executionSchema = z
  .object({ Id: z.string().min(1), RedriveCount: z.int().nonnegative().default(0) })
  .transform(({ Id, RedriveCount }) => ({ Id, RedriveCount }));

/**
 * The run, where its id is known, or else what the execution was started with; the error as Step Functions catches it, and the
 * execution in which it did.
 */
const caughtFailureSchema = z.strictObject({
  runId: runIdSchema.optional(),
  // What is no input at all came to no upload, and the error says so.
  input: workflowInputSchema.optional().catch(undefined),
  error: z.object({ Error: z.string().min(1), Cause: z.string().optional() }),
  execution: executionSchema,
});

/** What EventBridge tells of an execution that was ended from outside. */
const endEventSchema = z
  .object({
    source: z.literal('aws.states'),
    detail: z.object({
      executionArn: z.string().min(1),
      status: z.enum(['ABORTED', 'TIMED_OUT']),
      input: z.string().transform(parseJson).pipe(workflowInputSchema),
    }),
  })
  .transform(({ detail: { executionArn: execution, input, status } }) => ({ execution, input, status }));

/** Input of `record-failure`: an error that the workflow caught, or the end of an execution that could catch nothing. */
export const failureInputSchema = z.union([caughtFailureSchema, endEventSchema]);

/** What the rule of uploads passes on, as it is handed to the workflow. */
const uploadHandedSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  source: z.literal('aws.s3'),
  detail: z.object({
    bucket: z.object({ name: z.string().min(1) }),
    object: z.object({ key: z.string().min(1), 'version-id': z.string().optional(), sequencer: z.string().optional() }),
  }),
});

/** An event that was not delivered: of an upload, with the input that its rule makes of it, or of an execution that was ended. */
export const undeliveredSchema = z.union([
  uploadHandedSchema.transform((input) => ({ id: input.id, input, upload: uploadEventSchema.parse(input) })),
  endEventSchema.transform((end) => ({ end })),
]);

/** A failure as it is recorded, and how often its execution had been redriven by then. */
const recordedFailureSchema = errorReportSchema.extend({ runId: runIdSchema.nullable(), redrives: z.int().nonnegative() });

/** Output of `record-failure`: the failure, or of an end from outside the run that it was noted of. */
export const failureOutputSchema = z.union([recordedFailureSchema, z.strictObject({ runId: runIdSchema.nullable() })]);

/** Input of `raise-failure`: the failure that was recorded, and the execution as it is now. */
export const raiseInputSchema = z.strictObject({ failure: recordedFailureSchema, execution: executionSchema });

/** The run that a table became, and why a table was refused, without a value of it; of which table, where that is known. */
const becameSchema = z.strictObject({ runId: runIdSchema, table: tableVersionSchema.optional() });
const refusedSchema = z.strictObject({ error: errorReportSchema, table: tableVersionSchema.optional() });

const earlierSchema = z.array(z.union([becameSchema, refusedSchema])).optional();

/** `outcome.json` beside an upload: what became of the table that was put last, and of those that were put before it. */
export const uploadOutcomeSchema = z.union([
  becameSchema.extend({ earlier: earlierSchema }),
  refusedSchema.extend({ earlier: earlierSchema }),
]);

/** Why a batch of a run failed the last time. */
export const batchFailureSchema = z.strictObject({
  runId: runIdSchema,
  round: roundSchema,
  batch: z.int().positive(),
  error: errorReportSchema,
});

/**
 * `tasks/progress.json`: the round that a run is in, and how many of its chains are there. Whoever watches a run reads it
 * here: the keys of the draws themselves are listed together with their sizes.
 */
export const progressSchema = z.strictObject({
  round: roundSchema,
  chains: z.strictObject({ done: z.int().nonnegative(), total: z.int().nonnegative() }),
});

/**
 * `lock.json` of a run: the execution that carries it out, and the digest of the code that the run began with, which no
 * other may go on with. Runs of version 0.6.0 have none.
 */
export const runLockSchema = z.strictObject({ holder: z.string(), code: codeDigestSchema.optional() });

/** What a workflow was started with. */
export type WorkflowInput = z.output<typeof workflowInputSchema>;
/** One of the tasks that share a stage of the chains of a round. */
export type FitShare = z.infer<typeof fitShareSchema>;
/** What a run may cost, and how many tasks share its chains. */
export type UploadBudget = z.infer<typeof uploadBudgetSchema>;
/** How far the chains of a run are. */
export type Progress = z.infer<typeof progressSchema>;
/** The end of an execution from outside. */
export type EndEvent = z.output<typeof endEventSchema>;
/** A table that was uploaded. */
export type Upload = z.infer<typeof uploadSchema>;
/** What became of one table. */
export type TableOutcome = z.infer<typeof becameSchema> | z.infer<typeof refusedSchema>;
/** What became of an upload. */
export type UploadOutcome = z.infer<typeof uploadOutcomeSchema>;
