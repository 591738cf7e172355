import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { remediesSchema } from '../../../shared/contracts/results/remedies.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { compareRemedies, requireRows, riskiestRows, storeRemedies } from '../../../shared/pipeline/results/compare-remedies.ts';
import { namedRisk } from '../../../shared/pipeline/results/named-risk.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { csvRows, MIXED_SETTINGS, mixedTable, runFigures, withoutProgram } from '../small-run.ts';

const RECORDS = 80;
const [names, ...records] = csvRows(mixedTable({ records: RECORDS })) as [string[], ...string[][]];
/** Two people without an income. */
const LACKING = [3, 10];
for (const record of LACKING) records[record - 1]![names.indexOf('income')] = '';

type Rows = readonly Record<string, string>[];
const asRows = (bytes: Uint8Array): Rows => {
  const [header, ...rows] = csvRows(bytes) as [string[], ...string[][]];
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]!])));
};

async function evaluate(settings: object, table = encodeCsv(names, records)) {
  const run = await runFigures({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: configSchema.parse({ ...MIXED_SETTINGS, utility: 'off', ...settings }),
    table,
  });
  const { table: keysOf, summary } = run.keys.confidential;
  const tableOf = async (name: string) => {
    const { csv } = keysOf(name);
    return (await run.store.head(csv)) ? asRows(await run.store.get(csv)) : [];
  };
  const [figures, rows] = [await tableOf('continuous-risk'), await tableOf('attribute-risk')];
  return { ...run, runId: run.plan.runId, figures, rows, summary: await readJson(run.store, summary, summarySchema) };
}

type Run = Awaited<ReturnType<typeof evaluate>>;
const figureOf = ({ figures }: Pick<Run, 'figures'>, record: number, variable: string) =>
  figures.find((row) => row.record === `${record}` && row.variable === variable);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const largestOf = (run: Pick<Run, 'figures'>, record: number) =>
  Math.max(0, ...run.figures.filter((row) => row.record === `${record}`).map(({ within_after }) => Number(within_after)));

const IMPUTED = { synthesis: { datasets: 2, missing: 'impute' } };
const BANDED = { ...MIXED_SETTINGS.variables, income: { breaks: [0, 1, 10_000, 25_000, 40_000] } };
const NAMED = [2, 3, 7];

describe('the risk of records whose numbers are guessed at beside categories', () => {
  let itself: Run;
  beforeAll(async () => {
    itself = await evaluate(IMPUTED);
  });

  it('has means over them of how near an intruder comes, a missing value aside', async () => {
    const [risk] = itself.summary.attributeRisk;
    const found = await namedRisk(itself.store, itself.runId, risk!, NAMED);
    expect(found.rows.map(({ record }) => record)).toEqual(NAMED);
    for (const row of found.rows) {
      const own = itself.rows.find(({ record }) => record === `${row.record}`)!;
      expect([row.combination, row.count, row.candidates]).toEqual([own.combination, own.count, own.candidates].map(Number));
      expect([row.rank, row.probability, row.informationBits]).toEqual([own.rank, own.probability, own.information_bits].map(Number));
      for (const { variable, reason, ...numbers } of row.continuousVariables!) {
        const expected = figureOf(itself, row.record!, variable);
        expect(expected === undefined).toBe(variable === 'income' && LACKING.includes(row.record!));
        expect(reason !== undefined).toBe(expected === undefined);
        expect(numbers).toEqual({
          withinBefore: expected ? Number(expected.within_before) : null,
          withinAfter: expected ? Number(expected.within_after) : null,
          withinAfterSe: expected ? Number(expected.within_se) : null,
          gainBits: expected ? Number(expected.gain_bits) : null,
        });
      }
    }
    for (const [group, numbers] of [
      [found.named, NAMED],
      [found.others, Array.from({ length: RECORDS }, (_, i) => i + 1).filter((record) => !NAMED.includes(record))],
    ] as const) {
      expect(group.records).toBe(numbers.length);
      expect(group.probabilityMean).toBeCloseTo(mean(numbers.map((record) => Number(itself.rows[record - 1]!.probability))), 12);
      for (const own of group.continuousVariables!) {
        const rows = numbers.map((record) => figureOf(itself, record, own.variable)).filter((row) => row !== undefined);
        const meanOf = (column: string) => mean(rows.map((row) => Number(row[column])));
        expect(own.records).toBe(rows.length);
        expect(own.withinBeforeMean).toBeCloseTo(meanOf('within_before'), 12);
        expect(own.withinAfterMean).toBeCloseTo(meanOf('within_after'), 12);
        expect(own.withinAfterMeanSe).toBeCloseTo(meanOf('within_se'), 12);
        expect(own.gainBitsMean).toBeCloseTo(meanOf('gain_bits'), 12);
        expect(own.withinAfterMax).toBe(Math.max(...rows.map(({ within_after }) => Number(within_after))));
      }
    }
    const [age, income] = risk!.continuousVariables!;
    expect(found.file.continuousVariables).toEqual(
      [age!, income!].map((own) => ({
        variable: own.variable,
        near: 'within 10 %',
        records: own.records,
        withinBefore: { mean: own.withinBefore, standardError: own.withinBeforeSe },
        withinAfter: { mean: own.withinAfter, standardError: own.withinAfterSe },
        gainBits: { mean: own.gainBitsMean, standardError: own.gainBitsMeanSe },
      })),
    );
    expect(income!.records).toBe(RECORDS - LACKING.length);
  });

  it('has no means of nobody, nor of people who all lack the value', async () => {
    const [risk] = itself.summary.attributeRisk;
    const nobody = await namedRisk(itself.store, itself.runId, risk!, []);
    expect(nobody.named.continuousVariables).toMatchObject([
      { variable: 'age', records: 0, withinAfterMean: null, gainBitsMean: null },
      { variable: 'income', records: 0, withinAfterMean: null, gainBitsMean: null },
    ]);
    const lacking = await namedRisk(itself.store, itself.runId, risk!, LACKING);
    expect(lacking.named.continuousVariables).toMatchObject([
      { variable: 'age', records: 2 },
      { variable: 'income', records: 0, withinBeforeMean: null, withinAfterMax: null, reason: 'the value is missing' },
    ]);
  });

  it('is of the records whose truth is most probable where none are named, which have to be of the table', async () => {
    const probability = (record: number) => Number(itself.rows[record - 1]!.probability);
    const all = Array.from({ length: RECORDS }, (_, i) => i + 1);
    const expected = all.toSorted((a, b) => probability(b) - probability(a) || a - b).slice(0, 10);
    expect(await riskiestRows(itself.store, itself.runId)).toEqual(expected);
    await expect(requireRows(itself.store, itself.runId, [1, RECORDS])).resolves.toBeUndefined();
    await expect(requireRows(itself.store, itself.runId, [1, RECORDS + 1])).rejects.toMatchObject({ code: 'unknown-record' });
  });
});

describe('remedies where numbers alone are guessed at', () => {
  const whole = encodeCsv(
    names,
    records.map((record) => record.map((text) => (text === '' ? '1200' : text))),
  );
  const NUMBERS = { datasets: 2, synthesized: ['income', 'age'] };
  let itself: Run;
  let banded: Run;
  beforeAll(async () => {
    itself = await evaluate({ synthesis: NUMBERS }, whole);
    banded = await evaluate({ synthesis: NUMBERS, variables: BANDED }, whole);
  });

  it('look at the records to whose numbers an intruder most probably comes near where none are named', async () => {
    const all = Array.from({ length: RECORDS }, (_, i) => i + 1);
    const expected = all.toSorted((a, b) => largestOf(itself, b) - largestOf(itself, a) || a - b).slice(0, 10);
    expect(await riskiestRows(itself.store, itself.runId)).toEqual(expected);
  });

  it('have figures of numbers in the place of ranks, of which a variable in bands has none', async () => {
    const runs = [
      { ...itself, name: null, setting: 'as it is' },
      { ...banded, name: 'bands', setting: 'numbers in bands' },
    ];
    const found = await compareRemedies(runs, NAMED);
    expect(found).toMatchObject({ ofRecords: true, named: NAMED });
    const [first, second] = found.remedies;
    expect(first).toMatchObject({ candidatesMax: 1, probabilityMax: null, informationBitsMax: null, gainBitsChange: null });
    expect(first!.rankedReason).toBe(itself.summary.attributeRisk[0]!.rankedReason);
    expect(first!.risk.file).toMatchObject({ truthRankedFirstShare: null, probability: null, informationBits: null });
    expect(first!.risk.named).toMatchObject({ records: 3, rankMean: null, probabilityMeanReleaseSe: null, probabilityMax: null });
    const gains = NAMED.map((record) =>
      ['age', 'income'].reduce((sum, name) => sum + Number(figureOf(itself, record, name)!.gain_bits), 0),
    );
    expect(first!.risk.named.gainBitsMean).toBeCloseTo(mean(gains), 12);
    expect(first!.risk.rows[0]).toMatchObject({ record: 2, rank: null, probability: null, probabilitySe: null, informationBits: null });
    const [age, income] = first!.risk.file.continuousVariables!;
    expect([age!.variable, income!.variable]).toEqual(['age', 'income']);
    expect(income!.withinAfter!.mean).toBe(itself.summary.attributeRisk[0]!.continuousVariables![1]!.withinAfter);

    // In bands income has a rank of its truth, and age is a number as before.
    const risk = banded.summary.attributeRisk[0]!;
    expect(second!.rankedReason).toBeUndefined();
    expect(second!.probabilityMax).toBe(risk.probabilityMax);
    expect(second!.risk.file.continuousVariables).toMatchObject([
      { variable: 'age', records: RECORDS, withinAfter: { mean: risk.continuousVariables![0]!.withinAfter } },
      { variable: 'income', near: null, records: 0, withinAfter: null, gainBits: null, reason: expect.stringContaining('has categories') },
    ]);
    expect(second!.risk.named.continuousVariables![1]).toMatchObject({
      withinAfterMean: null,
      reason: expect.stringContaining('has categories'),
    });
    expect(second!.risk.rows.map(({ record }) => record)).toEqual(NAMED);
    for (const row of second!.risk.rows) {
      expect(row.continuousVariables![1]).toMatchObject({ withinAfter: null, reason: expect.stringContaining('has categories') });
      expect(row.probability).toBe(Number(banded.rows[row.record! - 1]!.probability));
    }
    expect(second!.gainBitsChange!.mean).toBeCloseTo(risk.gainBitsMean! - itself.summary.attributeRisk[0]!.gainBitsMean!, 12);

    const store = new MemoryStore();
    await storeRemedies(store, found);
    expect(await readJson(store, 'remedies.json', remediesSchema)).toEqual(found);
    const [ofItself, ofBands] = asRows(await store.get('remedies.csv'));
    expect(ofItself).toMatchObject({ truth_ranked_first_share: '', probability_max: '', named_rank_mean: '', named_records: '3' });
    expect(Number(ofBands!.probability_max)).toBe(risk.probabilityMax);
    const numbers = asRows(await store.get('remedies-continuous.csv'));
    // Of each run and variable the file, the named and each of these.
    expect(numbers).toHaveLength(2 * 2 * (2 + NAMED.length));
    const [file, named, record] = ['file', 'named', 'record'].map(
      (of) => numbers.find((row) => row.of === of && row.variable === 'income')!,
    );
    expect(Number(file!.within_after_se)).toBe(income!.withinAfter!.standardError);
    expect(Number(named!.within_after)).toBe(first!.risk.named.continuousVariables![1]!.withinAfterMean);
    expect(Number(named!.within_after_max)).toBe(first!.risk.named.continuousVariables![1]!.withinAfterMax);
    expect(record).toMatchObject({ record: '2', within_after: figureOf(itself, 2, 'income')!.within_after, reason: '' });
    const inBands = numbers.filter(({ remedy, variable }) => remedy === 'bands' && variable === 'income');
    expect(inBands).toHaveLength(2 + NAMED.length);
    for (const row of inBands) {
      expect([row.within_before, row.within_after, row.gain_bits]).toEqual(['', '', '']);
      expect(row.reason).toMatch(/has categories/);
    }

    const page = withoutProgram(new TextDecoder().decode(await store.get('remedies.html')));
    expect(page).not.toMatch(/undefined|NaN|\[object|>null/);
    expect(page).toContain('How near an intruder comes to numbers');
    expect(page).toContain('The records that were named');
    expect(page.match(/within 10 % of the true one/g)).toHaveLength(2);
  });

  it('have no column of ranks on their page where no run has any', async () => {
    const store = new MemoryStore();
    await storeRemedies(store, await compareRemedies([{ ...itself, name: null, setting: 'as it is' }], NAMED));
    const page = withoutProgram(new TextDecoder().decode(await store.get('remedies.html')));
    expect(page).not.toMatch(/undefined|NaN|\[object|>null|ranked first|Candidates at most|Largest</);
    expect(page).toContain('all variables that are guessed at are continuous');
  });
});

describe('an intruder who has some of the records', () => {
  it('has figures of the others, by their numbers in the table', async () => {
    const columns = ['age', 'income'].map((name) => names.indexOf(name));
    const table = encodeCsv(
      ['age', 'income'],
      records.map((record) => columns.map((column) => (record[column] === '' ? '1200' : record[column]!))),
    );
    const scenarios = [{ name: 'half', candidates: 'one-change', knows: { share: 0.5 } }];
    const run = await evaluate({ attributeRisk: { scenarios } }, table);
    const there = [...new Set(run.figures.map(({ record }) => Number(record)))];
    expect(there.length).toBeLessThan(RECORDS);
    const expected = there.toSorted((a, b) => largestOf(run, b) - largestOf(run, a) || a - b).slice(0, 10);
    expect(await riskiestRows(run.store, run.runId)).toEqual(expected);
    const known = Array.from({ length: RECORDS }, (_, i) => i + 1).find((record) => !there.includes(record))!;
    const found = await namedRisk(run.store, run.runId, run.summary.attributeRisk[0]!, [known, there.at(-1)!]);
    expect(found.rows).toMatchObject([{ record: there.at(-1), rank: null }]);
    expect(found.rows[0]!.continuousVariables![0]!.withinAfter).toBe(Number(figureOf(run, there.at(-1)!, 'age')!.within_after));
  });
});
