import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import type { GroupRisk } from '../../../shared/contracts/results/named-risk.ts';
import type { RankedRisk } from '../../../shared/contracts/results/ranked-figures.ts';
import { remediesSchema } from '../../../shared/contracts/results/remedies.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { compareRemedies, requireRows, riskiestRows, storeRemedies } from '../../../shared/pipeline/results/compare-remedies.ts';
import { namedRisk } from '../../../shared/pipeline/results/named-risk.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { csvRows, runFigures, smallConfig, smallTable } from '../small-run.ts';

const RECORDS = 60;
const [names, ...records] = csvRows(smallTable({ records: RECORDS })) as [string[], ...string[][]];
/** Some records lack education, which is a category of its own. */
for (const record of records.filter((_, i) => i % 5 === 0)) record[2] = '';
const levels = [...new Set(records.map((record) => record[2]!))].filter((text) => text !== '');

type Run = Awaited<ReturnType<typeof evaluate>>;
type Rows = readonly Record<string, string>[];

async function evaluate(sections: Parameters<typeof smallConfig>[0] = {}, rows = records) {
  const { synthesis, ...others } = sections;
  const run = await runFigures({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig({ ...others, synthesis: { missing: 'category', ...synthesis } }),
    table: encodeCsv(names, rows),
  });
  const table = async (key: string): Promise<Rows> => {
    const [header, ...rows] = csvRows(await run.store.get(key)) as [string[], ...string[][]];
    return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]!])));
  };
  const { table: keysOf, summary } = run.keys.confidential;
  const values = keysOf('variable-risk').csv;
  return {
    ...run,
    runId: run.plan.runId,
    rows: await table(keysOf('attribute-risk').csv),
    values: (await run.store.head(values)) ? await table(values) : [],
    summary: await readJson(run.store, summary, summarySchema),
  };
}

/** Means over the records of some rows of a run, from its tables. */
function meansOf({ rows, values }: Run, combinations: readonly number[]) {
  const own = rows.filter(({ combination }) => combinations.includes(Number(combination)));
  const total = own.reduce((sum, { count }) => sum + Number(count), 0);
  const mean = (figure: (row: Record<string, string>) => number) =>
    own.reduce((sum, row) => sum + Number(row.count) * figure(row), 0) / total;
  const gainOf = ({ combination }: Record<string, string>) =>
    values.filter((value) => value.combination === combination).reduce((sum, value) => sum + Number(value.gain_bits), 0);
  return {
    records: total,
    truthRankedFirstShare: mean(({ rank }) => (rank === '1' ? 1 : 0)),
    rankMean: mean(({ rank }) => Number(rank)),
    probabilityMean: mean(({ probability }) => Number(probability)),
    probabilityMax: Math.max(...own.map(({ probability }) => Number(probability))),
    informationBitsMean: mean((row) => Number(row.information_bits)),
    gainBitsMean: mean(gainOf),
  };
}

function expectMeans(found: GroupRisk, expected: ReturnType<typeof meansOf>): void {
  for (const [name, value] of Object.entries(expected)) {
    expect(found[name as keyof typeof expected], name).toBeCloseTo(value, 10);
  }
}

const numbers = ({ rows }: Run) => rows.map(({ combination }) => Number(combination));
const others = (run: Run, named: readonly number[]) => numbers(run).filter((one) => !named.includes(one));
const firstOf = ({ summary }: Run) => summary.attributeRisk[0] as RankedRisk;

let itself: Run;

beforeAll(async () => {
  itself = await evaluate();
});

describe('combinations that a person looks at', () => {
  it('are the ten whose truth is most probable where none are named', async () => {
    const riskiest = await riskiestRows(itself.store, itself.runId);
    const probability = (number: number) => Number(itself.rows[number - 1]!.probability);
    const sorted = numbers(itself).toSorted((a, b) => probability(b) - probability(a) || a - b);
    expect(riskiest).toEqual(sorted.slice(0, 10));
    expect(sorted.length).toBeGreaterThan(10);
  });

  it('have to be of the table', async () => {
    const { store, runId, plan } = itself;
    const last = plan.table.combinations;
    await expect(requireRows(store, runId, [1, last])).resolves.toBeUndefined();
    for (const named of [[last + 1], [1, last + 1]]) {
      await expect(requireRows(store, runId, named)).rejects.toMatchObject({ code: 'unknown-combination' });
    }
  });
});

describe('the risk of some combinations of a run, and of all others', () => {
  it('is the mean over their records', async () => {
    const named = [2, 5, 7];
    const found = await namedRisk(itself.store, itself.runId, firstOf(itself), named);
    expectMeans(found.named, meansOf(itself, named));
    expectMeans(found.others, meansOf(itself, others(itself, named)));
    expect(found.named.rankMeanSe).toBeGreaterThan(0);
    expect(found.rows.map(({ combination }) => combination)).toEqual(named);
    for (const { combination, count, ...row } of found.rows) {
      const own = itself.rows[combination - 1]!;
      expect([count, row.candidates]).toEqual([Number(own.count), Number(own.candidates)]);
      expect(row.rank).toBe(Number(own.rank));
      expect(row.probability).toBe(Number(own.probability));
      expect(row.probabilitySe).toBe(Number(own.probability_se));
      expect(row.informationBits).toBe(Number(own.information_bits));
      expect(row.gainBits).toBeCloseTo(meansOf(itself, [combination]).gainBitsMean, 10);
    }
    const { probabilityMean, probabilityMeanSe, truthRankedFirstShareSe, gainBitsMeanSe } = firstOf(itself);
    expect(found.file.probability).toEqual({ mean: probabilityMean, standardError: probabilityMeanSe });
    expect(found.file.truthRankedFirstShare!.standardError).toBe(truthRankedFirstShareSe);
    expect(found.file.gainBits!.standardError).toBe(gainBitsMeanSe);
  });

  it('has no means where there are no records, and no gain where cells are not listed', async () => {
    const all = await namedRisk(itself.store, itself.runId, firstOf(itself), numbers(itself));
    expect(all.named.records).toBe(RECORDS);
    const { records: none, ...means } = all.others;
    expect(none).toBe(0);
    expect(new Set(Object.values(means))).toEqual(new Set([null]));
    const cells = await evaluate({ attributeRisk: { candidates: 'all-cells' } });
    const found = await namedRisk(cells.store, cells.runId, firstOf(cells), [1, 2]);
    expect([found.file.gainBits, found.named.gainBitsMean, found.rows[0]!.gainBits]).toEqual([null, null, null]);
    expect(found.rows[0]!.candidates).toBe(cells.plan.candidatesPerCombination);
    const { remedies } = await compareRemedies(
      [
        { ...itself, name: null, setting: 'itself' },
        { ...cells, name: 'cells', setting: 'all cells' },
      ],
      [1],
    );
    expect(remedies[1]!.gainBitsChange).toBeNull();
  });
});

describe('remedies side by side', () => {
  const merge = { fewer: levels.slice(0, 2) };
  /** The values of a row, once the first two levels of education are one. */
  const merged = (row: Record<string, string>) =>
    names.map((name) => (levels.slice(0, 2).includes(row[name]!) ? 'fewer' : row[name])).join('|');

  it('follow named combinations into a table of fewer categories, a missing value as well', async () => {
    const fewer = await evaluate({ variables: { education: { merge } }, synthesis: { datasets: 3 } });
    const named = [1, 2, 3];
    expect(itself.rows[0]!.education).toBe('');
    const runs = [
      { ...itself, name: null, setting: 'the run itself' },
      { ...fewer, name: 'fewer', setting: 'fewer categories' },
    ];
    const found = await compareRemedies(runs, named);
    expect(found).toMatchObject({ version: itself.plan.version, runId: itself.runId, named });
    const followed = new Set(named.map((number) => merged(itself.rows[number - 1]!)));
    const own = fewer.rows.filter((row) => followed.has(merged(row)));
    const [first, second] = found.remedies;
    expect(first!.risk.rows.map(({ combination }) => combination)).toEqual(named);
    expect(second!.risk.rows.map(({ combination }) => combination)).toEqual(own.map(({ combination }) => Number(combination)));
    expect(own.some((row) => row.education === '')).toBe(true);
    for (const [remedy, run] of [
      [first!, itself],
      [second!, fewer],
    ] as const) {
      const risk = firstOf(run);
      expect(remedy).toMatchObject({
        ...{ datasets: run.plan.datasets.count, chains: 3, pairedChains: 2 },
        combinations: run.rows.length,
        candidatesMax: risk.candidatesPerCombinationMax,
        probabilityMax: risk.probabilityMax,
        informationBitsMax: risk.informationBitsMax,
      });
      expect(remedy.risk.runId).toBe(run.runId);
    }
    expect(first!.gainBitsChange).toBeNull();
    const [before, after] = [firstOf(itself), firstOf(fewer)];
    expect(second!.gainBitsChange!.mean).toBe(after.gainBitsMean! - before.gainBitsMean!);
    expect(second!.gainBitsChange!.standardError).toBeCloseTo(Math.hypot(before.gainBitsMeanSe!, after.gainBitsMeanSe!), 12);

    const store = new MemoryStore();
    await storeRemedies(store, found);
    expect(await readJson(store, 'remedies.json', remediesSchema)).toEqual(found);
    const [header, ...lines] = csvRows(await store.get('remedies.csv'));
    const column = (name: string) => lines.map((line) => line[header!.indexOf(name)]);
    expect(column('remedy')).toEqual(['', 'fewer']);
    expect(column('setting')).toEqual(runs.map(({ setting }) => setting));
    expect(column('gain_bits_change')).toEqual(['', String(second!.gainBitsChange!.mean)]);
    expect(column('gain_bits_mean_se')).toEqual([before, after].map((risk) => String(risk.gainBitsMeanSe)));
    const ofNamed = {
      ...{ records: 'named_records', rankMean: 'named_rank_mean', rankMeanSe: 'named_rank_mean_se' },
      ...{ probabilityMean: 'named_probability_mean', probabilityMeanSe: 'named_probability_mean_se' },
      ...{ probabilityMax: 'named_probability_max', gainBitsMean: 'named_gain_bits_mean' },
      informationBitsMean: 'named_information_bits_mean',
      informationBitsMeanSe: 'named_information_bits_mean_se',
    };
    for (const [name, of] of Object.entries(ofNamed)) {
      const figures = found.remedies.map(({ risk }) => risk.named[name as keyof typeof ofNamed]);
      expect(column(of).map(Number), of).toEqual(figures);
    }
    const ofFile = {
      ...{ probabilityMean: 'probability_mean', probabilityMeanSe: 'probability_mean_se' },
      ...{ truthRankedFirstShare: 'truth_ranked_first_share', probabilityMax: 'probability_max' },
      ...{ informationBitsMean: 'information_bits_mean', informationBitsMax: 'information_bits_max' },
    };
    for (const [name, of] of Object.entries(ofFile)) {
      const figures = [before, after].map((risk) => risk[name as keyof typeof ofFile]);
      expect(column(of).map(Number), of).toEqual(figures);
    }
    expect(new TextDecoder().decode(await store.get('remedies.html'))).toContain('fewer categories');
  });

  it.each([
    ['numbers', {}],
    ['narrower bands', { education: { breaks: [0, 1, 2] } }],
  ])('follow all combinations from %s into bands', async (_, variables) => {
    const numbered = records.map((record) => record.with(2, record[2] === '' ? '' : String(levels.indexOf(record[2]!))));
    const run = await evaluate({ variables }, numbered);
    const banded = await evaluate({ variables: { education: { breaks: [0, 2] } }, synthesis: { datasets: 3 } }, numbered);
    const runs = [run, banded].map((one, at) => ({ ...one, name: at === 0 ? null : 'bands', setting: '' }));
    const { remedies } = await compareRemedies(runs, numbers(run));
    expect(remedies[1]!.risk.named.records).toBe(RECORDS);
    expect(banded.rows.length).toBeLessThan(run.rows.length);
  });
});
