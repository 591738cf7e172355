import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { openPlanOf } from '../../shared/contracts/run/plan.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { copyEarlier, planReassessment } from '../../shared/pipeline/plan/plan-reassessment.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { predictMemory } from '../../shared/pipeline/plan/predict-memory.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { COUNT_SETTINGS, csvRows, runFigures, runPlanned, smallConfig, smallTable } from './small-run.ts';

const [header, ...records] = csvRows(smallTable({ records: 400 })) as [string[], ...string[][]];
const table = encodeCsv(header, records.slice(0, 60));
const known = new Set(records.slice(0, 60).flat());
const people = records.slice(60, 160).filter((row) => row.every((text) => known.has(text)));
const control = encodeCsv(header, people);

const PATH = 'confidential/of-the-agency/strangers.csv';
const request = (attributeRisk: object = {}, given: Partial<RunRequest> = {}): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: smallConfig({ attributeRisk: { control: PATH, ...attributeRisk }, utility: 'off' }),
  table,
  control,
  ...given,
});

const [region, education] = [header[0]!, header[2]!];
const several = {
  scenarios: [
    { name: 'one change', candidates: 'one-change' },
    { name: 'all cells', candidates: 'all-cells' },
    { name: 'knows nothing', candidates: { unknown: [region] }, knows: 'nothing' },
  ],
};

type Run = Awaited<ReturnType<typeof runFigures>>;
const controlOf = async ({ store, keys }: Run) => csvRows(await store.get(keys.confidential.table('control-membership').csv));
const risksOf = async ({ store, keys }: Run) => (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk;

describe('datasets made elsewhere', () => {
  const random = new RandomStream(6, 'noise');
  const members = records.slice(0, 60);
  const levels = header.map((_, k) => [...new Set(members.map((row) => row[k]!))]);
  /** Rows that have nothing of the table but its categories. */
  const noise = () =>
    encodeCsv(
      header,
      members.map(() => levels.map((own) => own[random.below(own.length)]!)),
    );
  const foundIn = async (files: readonly Uint8Array[]) => {
    const run = await runFigures(request({}, { purpose: 'assess', datasets: { origin: 'elsewhere', files } }));
    return (await risksOf(run))[0]!.membership!;
  };

  it('that are independent noise find nobody, and those of the model find people', async () => {
    const ofNoise = await foundIn([noise(), noise(), noise()]);
    // The members are a sample too: under chance alone AUC has a variance of 1 / 12 by each number of people.
    const error = Math.hypot(ofNoise.aucSe!, Math.sqrt((1 / members.length + 1 / people.length) / 12));
    expect(Math.abs(ofNoise.auc - 0.5)).toBeLessThan(2 * error);
    // The ratios claim to say something, which they do not.
    expect(ofNoise.power! + 2 * ofNoise.powerSe!).toBeLessThan(1);
    const made = await runFigures(
      request({}, { config: smallConfig({ attributeRisk: { control: PATH }, synthesis: { datasets: 5 }, utility: 'off' }) }),
    );
    const ofModel = await foundIn(await Promise.all([1, 2, 3, 4, 5].map((l) => made.store.get(made.keys.release.dataset(l)))));
    expect(ofModel.auc - 0.5).toBeGreaterThan(2 * error);
  });
});

describe('a control', () => {
  it('takes the place of simulated others, and has a table in the order of its file, whatever the batches', async () => {
    const run = await runFigures(request());
    const [columns, ...rows] = await controlOf(run);
    expect(columns).toEqual(['row', 'membership_bits', 'membership_bits_se']);
    expect(rows.map(([row]) => Number(row))).toEqual(people.map((_, i) => i + 1));
    const [risk] = await risksOf(run);
    expect(risk!.membership).toMatchObject({ others: 'control', othersCount: people.length });
    const small = await runFigures(request({}, { batchSize: 3 }));
    expect(await controlOf(small)).toEqual([columns, ...rows]);
    expect(await risksOf(small)).toEqual([risk]);
    // Equal people have equal ratios.
    const same = people.findIndex((row, i) => i > 0 && row.join() === people[0]!.join());
    if (same > 0) expect(rows[same]![1]).toBe(rows[0]![1]);
    // Everything that is not about others is as without it: the same release, the same risk of records.
    const without = await runFigures({ ...request(), config: smallConfig({ utility: 'off' }) });
    const { dataset } = run.keys.release;
    expect(await run.store.get(dataset(1))).toEqual(await without.store.get(without.keys.release.dataset(1)));
    const { csv } = run.keys.confidential.table('attribute-risk');
    expect(await run.store.get(csv)).toEqual(await without.store.get(without.keys.confidential.table('attribute-risk').csv));
    expect(await without.store.head(without.keys.confidential.table('control-membership').csv)).toBeNull();
  });

  it('has rows of every scenario in which it is found who is in the table, with its name', async () => {
    const run = await runFigures(request(several));
    const [columns, ...rows] = await controlOf(run);
    expect(columns!.at(-1)).toBe('scenario');
    const names = ['one change', 'knows nothing'];
    expect(rows.map((row) => row.at(-1))).toEqual(names.flatMap((name) => people.map(() => name)));
    expect((await risksOf(run)).map(({ membership }) => membership?.others)).toEqual(['control', undefined, 'control']);
  });

  it('is known to the run by the digest of its file, and nobody who watches it hears of it', async () => {
    const { plan } = await planRun(request());
    expect(plan.config.attributeRisk.control).toBe(await sha256(control));
    expect(plan.controlRecords).toBe(people.length);
    const without = await planRun({ ...request(), config: smallConfig({ utility: 'off' }) });
    expect({ ...openPlanOf(plan), runId: '' }).toEqual({ ...openPlanOf(without.plan), runId: '' });
    const idOf = async (one: RunRequest) => (await planRun(one)).plan.runId;
    expect(await idOf(request({ control: 'elsewhere.csv' }))).toBe(plan.runId);
    const fewer = encodeCsv(header, people.slice(1));
    expect(await idOf(request({}, { control: fewer }))).not.toBe(plan.runId);
    expect(without.plan.runId).not.toBe(plan.runId);
  });

  it('needs memory, in batches and while results are put together', async () => {
    const run = await planRun(request());
    const many = { ...run, plan: { ...run.plan, controlRecords: 1_000_000 } };
    const { assess, aggregate } = predictMemory(run, 1).phases;
    const { phases } = predictMemory(many, 1);
    expect(phases.assess - assess).toBeGreaterThan(50e6);
    expect(phases.aggregate - aggregate).toBeGreaterThan(1e9);
  });

  it('is asked of models of counts too, whatever the batches', async () => {
    const config = completeConfig({ ...COUNT_SETTINGS, utility: 'off', attributeRisk: { control: PATH } });
    const run = await runFigures(request({}, { config }));
    const [, ...rows] = await controlOf(run);
    expect(rows.map(([row, , se]) => [Number(row), Number(se)])).toEqual(people.map((_, i) => [i + 1, 0]));
    expect((await risksOf(run))[0]!.membership).toMatchObject({ others: 'control', othersCount: people.length });
    expect(await controlOf(await runFigures(request({}, { config, batchSize: 1 })))).toEqual(await controlOf(run));
  });

  it('has no part in what makes datasets alone, or calibrates', async () => {
    for (const purpose of ['synthesize', 'calibrate'] as const) {
      const sections = { attributeRisk: { control: PATH }, calibration: { targets: 5, replicates: 1 } };
      const planned = await planRun({ ...request(), purpose, config: smallConfig(sections) });
      expect(planned.control).toBeNull();
      expect(planned.plan.config.attributeRisk.control).toBeUndefined();
    }
  });

  it('stays when a run is looked at anew', async () => {
    const run = await runFigures(request());
    const store = new MemoryStore();
    const asked = { candidates: { unknown: [region, education] } };
    const planned = await planReassessment(run, smallConfig({ attributeRisk: asked }), TEST_KEYS);
    await copyEarlier(run, store, planned.plan);
    const plan = await runPlanned(store, planned);
    const again = { store, plan, keys: runKeys(plan.runId) };
    const atOnce = await runFigures(request(asked));
    expect(await controlOf(again)).toEqual(await controlOf(atOnce));
    expect(await risksOf(again)).toEqual(await risksOf(atOnce));
  });
});

describe('a control is refused', () => {
  const refusal = (one: RunRequest) =>
    planRun(one).then(
      () => null,
      (error) => error,
    );

  it('where its file is not there to be read', async () => {
    const { control: _, ...unread } = request();
    expect(await refusal(unread)).toMatchObject({ code: 'control-unread', message: expect.stringContaining('control.csv') });
  });

  it('where a person is impossible', async () => {
    const absent = people[0]!;
    const own = records.slice(0, 60).filter((row) => row[0] !== absent[0] || row[2] !== absent[2]);
    const one = request(
      {},
      {
        config: smallConfig({ attributeRisk: { control: PATH }, synthesis: { structuralZeros: 'zeros.csv' }, utility: 'off' }),
        table: encodeCsv(header, own),
        structuralZeros: encodeCsv([region, education], [[absent[0]!, absent[2]!]]),
        control: encodeCsv(
          header,
          people.filter((row) => row.every((text) => own.flat().includes(text))),
        ),
      },
    );
    expect(await refusal(one)).toMatchObject({
      code: 'impossible-records',
      message: expect.stringMatching(/^control: records that are impossible/),
    });
  });

  it('where it is the table, holds it, or is of its records', async () => {
    const rows = records.slice(0, 60);
    for (const own of [rows, rows.toReversed(), [...rows, ...people.slice(0, 60)]]) {
      expect(await refusal(request({}, { control: encodeCsv(header, own) })), String(own.length)).toMatchObject({
        code: 'control-overlaps-table',
      });
    }
  });

  it('not where it may hold some of the table, which is said with their number', async () => {
    const random = new RandomStream(5, 'people');
    const rows = Array.from({ length: 1100 }, () => [`a${random.below(50)}`, `b${random.below(50)}`]);
    const [own, others] = [rows.slice(0, 100), rows.slice(100)];
    const codes = (letter: string) => ({ categories: Array.from({ length: 50 }, (_, code) => `${letter}${code}`) });
    const config = smallConfig({ attributeRisk: { control: PATH }, variables: { a: codes('a'), b: codes('b') }, utility: 'off' });
    const warned = async (control: string[][]) => {
      const one = request({}, { config, table: encodeCsv(['a', 'b'], own), control: encodeCsv(['a', 'b'], control) });
      return (await planRun(one)).plan.warnings.filter(({ code }) => code === 'control-holds-records');
    };
    expect(await warned(others)).toEqual([]);
    expect(await warned([...others, ...own.slice(0, 40)])).toEqual([
      {
        code: 'control-holds-records',
        message: expect.stringMatching(/^About \d+ of the 100.records of the table seem to be in the control/),
      },
    ]);
  });
});
