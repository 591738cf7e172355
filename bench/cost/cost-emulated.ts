/**
 * Compares the model of docs/explanation/cost.md with small runs in the emulator, whose functions run on this machine one after the
 * other or a few at once: calls and requests that were counted, and seconds that were measured, against what the model gives
 * with the speed of this machine. The emulator must run and hold the stack (`npm run localstack:start`, `localstack:deploy`).
 *
 *     node scripts/run-typescript.mjs bench/cost/cost-emulated.ts     prints what docs/explanation/cost.md sums up under its assumptions
 */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { stringify } from 'yaml';
import { householdTable } from '../../examples/household-table.ts';
import { clientEnvironment, endpoint, paths } from '../../localstack/emulator.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { newKeys } from '../../shared/artifacts/stored-keys.ts';
import { uploadOutcomeSchema } from '../../shared/contracts/cloud/workflow.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys, uploadKeys } from '../../shared/contracts/keys.ts';
import { type UsageNote, usageNoteSchema } from '../../shared/contracts/run/usage.ts';
import { dollarsOfRun, estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS } from '../../shared/cost/cloud-options.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import { measuredWork } from '../../shared/estimate/measured-work.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';

const POLL_MILLISECONDS = 500;

/** Records of the tables, and settings of runs of a minute or less. */
const SIZES = [200, 600, 1500];
const SETTINGS = {
  model: { classes: 40 },
  mcmc: { chains: 4, burnIn: 2000, draws: 400, thin: 5, pairedChains: 2, pairedDraws: 400, pairedThin: 5 },
  synthesis: { datasets: 2 },
};

Object.assign(process.env, clientEnvironment);
const [outputs] = Object.values(JSON.parse(readFileSync(paths.outputs, 'utf8')) as Record<string, { BucketName: string }>);
const store = new S3Store({ bucket: outputs!.BucketName, endpoint });

/** Waits until something gives a value. */
async function eventually<T>(read: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const value = await read();
    if (value !== null) return value;
    await setTimeout(POLL_MILLISECONDS);
  }
}

const sum = (notes: readonly UsageNote[], of: (note: UsageNote) => number) => notes.reduce((total, note) => total + of(note), 0);

async function compare(records: number): Promise<string[][]> {
  const table = householdTable(records, records);
  const planned = await planRun({ purpose: 'evaluate', config: configSchema.parse(SETTINGS), table, ...newKeys() });
  const { plan } = planned;
  const work = measuredWork(plan, estimateRun(planned, 1));
  const estimate = estimateCloud(work, { ...CLOUD_DEFAULTS, engine: 'lambda', child: 'standard', concurrency: 4 });

  const upload = uploadKeys(`incoming/compare-${records}-${Date.now()}/table.csv`)!;
  await store.put(upload.config, new TextEncoder().encode(stringify(SETTINGS)));
  await store.put(upload.table, table);
  const outcome = await eventually(async () => (await store.head(upload.outcome)) && readJson(store, upload.outcome, uploadOutcomeSchema));
  if ('error' in outcome) throw new Error(`${outcome.error.name}: ${outcome.error.message}`);
  // The id is formed under the key of the bucket.
  const { runId } = outcome;
  const state = await eventually(async () => {
    const now = await readRunState(store, runId);
    return now?.status === 'running' || now === null ? null : now;
  });
  if (state.status !== 'finished') throw new Error(`${state.error?.name}: ${state.error?.message}`);
  const keys = await store.list(runKeys(runId).tasks.allUsed);
  const notes = await Promise.all(keys.map((key) => readJson(store, key, usageNoteSchema)));
  const of = (...steps: string[]) => notes.filter(({ step }) => steps.includes(step));
  const fit = of('fit-model');
  const assess = of('assess-batch');
  const scoring = work.batches.reduce((total, size) => total + size * work.secondsPerCombination, 0);
  const iterating = work.phases.reduce((total, { tasks, secondsPerTask }) => total + tasks * secondsPerTask, 0);
  const requests = (some: readonly UsageNote[]) => sum(some, ({ reads, writes }) => reads + writes);
  const cpu = (some: readonly UsageNote[]) => `${sum(some, ({ cpuSeconds }) => cpuSeconds).toFixed(1)} s`;
  const wall = (some: readonly UsageNote[]) => `${sum(some, ({ seconds }) => seconds).toFixed(1)} s`;
  const batches = work.batches.length;
  const readOf = assess.length * (work.draws.objects + work.table.objects) + batches * work.contextObjects;
  const around = of('plan-run', 'check-budget', 'aggregate-run', 'report-run');
  const size = `${records} records, ${plan.table.combinations} combinations`;
  return [
    [size, 'calls of functions', String(6 + batches), String(state.used!.lambdaCalls)],
    [size, 'state transitions', String(13 + 2 * batches), String(state.used!.stateTransitions)],
    [size, 'requests of the chains', String(work.fitReads + work.fitObjects + 20), String(requests(fit))],
    [size, 'requests of the batches', String(readOf + batches * work.part.objects), String(requests(assess))],
    [size, 'chains, CPU', `${iterating.toFixed(1)} s`, cpu(fit)],
    [size, 'batches, CPU', `${scoring.toFixed(1)} s`, cpu(assess)],
    [size, 'chains, wall time', '', wall(fit)],
    [size, 'batches, wall time of all', '', wall(assess)],
    [
      size,
      'the other steps, wall time',
      `${(60 * (estimate.minutes.plan + estimate.minutes.aggregate + estimate.minutes.report)).toFixed(1)} s`,
      wall(around),
    ],
    [size, 'dollars', `$${dollarsOfRun(estimate).toFixed(4)}`, `$${state.used!.dollars.toFixed(4)}`],
    [size, 'environments that assessed', '', String(assess.length)],
  ];
}

const rows: string[][] = [];
for (const records of SIZES) rows.push(...(await compare(records)));
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
console.log([line(['run', 'what', 'by the model', 'counted or measured']), '| --- | --- | ---: | ---: |', ...rows.map(line)].join('\n'));
