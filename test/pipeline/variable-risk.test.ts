import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, it } from 'vitest';
import { createReferenceScorer } from '../../bench/plain/likelihood-ratio-reference.ts';
import { contextOfScenario, readRunContext } from '../../shared/artifacts/run-context.ts';
import { readDraws } from '../../shared/artifacts/stored-draws.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { candidateChanges } from '../../shared/risk/intruder/candidate-space.ts';
import { leaveOut } from '../../shared/risk/scoring/leave-out.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import type { RatioScorer } from '../../shared/risk/scoring/ratio-scorer.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, runFigures, smallConfig, smallTable } from './small-run.ts';

const RECORDS = 60;
const table = smallTable({ records: RECORDS });
const [names] = csvRows(table) as [string[]];

/** As docs/explanation/estimators.md documents them: written out, since other programs read them. */
const HEADER = [
  ...['count', 'variable', 'categories', 'probability_before', 'probability_after', 'probability_se'],
  ...[
    'rank_before',
    'rank_after',
    'gain_bits',
    'uncertainty_resolved',
    'uncertainty_resolved_se',
    'first_guess_before',
    'first_guess_after',
    'scenario',
  ],
];

const request = (sections: Parameters<typeof smallConfig>[0]): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: smallConfig(sections),
  table,
});

type Row = Record<string, string>;

async function assessed(sections: Parameters<typeof smallConfig>[0]) {
  const run = await runFigures(request(sections));
  const [header, ...rows] = csvRows(await run.store.get(run.keys.confidential.table('variable-risk').csv)) as [string[], ...string[][]];
  const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
  return {
    run,
    header,
    rows: rows.map((row): Row => Object.fromEntries(header.map((name, i) => [name, row[i]!]))),
    risk: summary.attributeRisk[0]!,
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function correlation(a: readonly number[], b: readonly number[]): number {
  const apart = (values: readonly number[]) => values.map((value) => value - sum(values) / values.length);
  const product = (x: readonly number[], y: readonly number[]) => sum(apart(x).map((value, i) => value * apart(y)[i]!));
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/**
 * For each candidate of a row its values, and its weights before and after the release, found another way: the prior
 * from the stored draws of the base chains, the likelihood from the run's own candidate table (whose prior is uniform).
 */
async function weights({ store, plan }: Awaited<ReturnType<typeof runFigures>>, row: number, codes: Uint16Array) {
  const context = contextOfScenario(await readRunContext(store, plan.runId), 1);
  const { space, table: stored } = context;
  const plain = createReferenceScorer(space, codes);
  // phi is integrated out without the row's own record.
  const scorer: RatioScorer = (pi, _phi, ratios, logWeights, allocation) =>
    plain(pi, leaveOut(allocation!, 0, codes, space.sizes, pi.length), ratios, logWeights);
  const chains = Array.from({ length: plan.config.mcmc.chains }, (_, c) => c + 1);
  /** Of each chain the means of r_x, and the mean of 1 / f(x_i | Theta). */
  const scored = (of: 'base' | 'early') =>
    Promise.all(
      chains.map(async (c) => {
        const draws = await readDraws(store, plan.runId, `${of}/${c}`, { from: row, to: row + 1, of: stored.combinations.count });
        const logWeights = new Float64Array(draws.draws);
        const { mean } = ratioMeans(scorer, draws, space.perCombination, 0, logWeights);
        return { mean, inverse: sum([...logWeights].map(Math.exp)) / draws.draws };
      }),
    );
  const base = await scored('base');
  const lasts = Math.max(
    0,
    correlation(
      (await scored('early')).map(({ inverse }) => Math.log(inverse)),
      base.map(({ inverse }) => Math.log(inverse)),
    ),
  );
  const prior = Float64Array.from({ length: space.perCombination }, (_, x) =>
    sum(base.map(({ mean, inverse }) => mean[x]! * inverse ** -(lasts ** 4))),
  );
  const [header, ...candidates] = csvRows(await candidateTable(store, { runId: plan.runId, combination: row + 1 })) as [
    string[],
    ...string[][],
  ];
  const texts = (values: ArrayLike<number>) =>
    Array.from(values, (code, k) => {
      const variable = stored.schema.variables[k]!;
      return variable.type === 'categorical' ? variable.categories[code]! : '';
    });
  return Array.from(prior, (before, x) => {
    const changed = codes.slice();
    for (const { variable, code } of candidateChanges(space, codes, x)) changed[variable] = code;
    const values = texts(changed);
    const own = candidates.find((fields) => names.every((name, k) => fields[header.indexOf(name)] === values[k]))!;
    return { values, before, after: before * Number(own[header.indexOf('probability')]) };
  });
}

/** Holds a row of `variable-risk.csv` to the candidates that agree with the truth but in these variables. */
function expectRow(row: Row, candidates: Awaited<ReturnType<typeof weights>>, variables: readonly number[], marginal: boolean) {
  const truth = candidates[0]!.values;
  const members = candidates.filter(({ values }) => values.every((value, k) => marginal || variables.includes(k) || value === truth[k]));
  const label = (values: readonly string[]) => variables.map((k) => values[k]).join('; ');
  const total = (of: 'before' | 'after', value?: string) =>
    sum(members.filter(({ values }) => value === undefined || label(values) === value).map((one) => one[of]));
  const values = [...new Set(members.map((one) => label(one.values)))];
  const own = label(truth);
  expect(row.variable).toBe(variables.map((k) => names[k]).join('; '));
  expect(Number(row.categories)).toBe(values.length);
  for (const of of ['before', 'after'] as const) {
    expect(Number(row[`probability_${of}`])).toBeCloseTo(total(of, own) / total(of), 10);
    const order = values.toSorted((a, b) => total(of, b) - total(of, a));
    expect(row[`first_guess_${of}`]).toBe(order[0]);
    // What differs by less than the error of the prior, at most 0.05 in log odds, may share a rank.
    const rank = Number(row[`rank_${of}`]);
    const above = (factor: number) => values.filter((value) => value !== own && total(of, value) > factor * total(of, own)).length;
    expect(rank).toBeGreaterThanOrEqual(1 + above(Math.exp(0.05)));
    expect(rank).toBeLessThanOrEqual(1 + above(Math.exp(-0.05)));
  }
  const gain = Math.log2(Number(row.probability_after) / Number(row.probability_before));
  expect(Number(row.gain_bits)).toBeCloseTo(gain, 10);
  expect(Number(row.probability_se)).toBeGreaterThan(0);
}

const meanGain = (rows: readonly Row[]) => sum(rows.map((row) => Number(row.count) * Number(row.gain_bits))) / RECORDS;

describe('variable-risk.csv', () => {
  it('has a row for each variable of each combination, with the probabilities of its values', async () => {
    const { run, header, rows, risk } = await assessed({});
    expect(header).toEqual(['combination', ...HEADER]);
    expect(rows).toHaveLength(run.plan.table.combinations * names.length);
    const { table: stored } = await readRunContext(run.store, run.plan.runId);
    for (const combination of [0, 1, 7]) {
      const codes = stored.combinations.codes.slice(combination * names.length, (combination + 1) * names.length);
      const candidates = await weights(run, combination, codes);
      for (const k of names.keys()) {
        const row = rows[combination * names.length + k]!;
        expect(Number(row.combination)).toBe(combination + 1);
        expect(Number(row.count)).toBe(stored.combinations.counts[combination]);
        expectRow(row, candidates, [k], false);
      }
    }
    expect(risk.gainBitsMean).toBeCloseTo(meanGain(rows), 5);
    expect(risk.gainBitsMean).toBeCloseTo(sum(risk.variables.map(({ gainBitsMean }) => gainBitsMean)), 10);
    expect(risk.gainBitsExcess).toBeCloseTo(risk.gainBitsClaimed! - risk.gainBitsMean!, 10);
    const records = (holds: (row: Row) => boolean) => sum(rows.filter(holds).map(({ count }) => Number(count)));
    const pairs = RECORDS * names.length;
    // Of t values that share the first place each has the rank (1 + t) / 2, and counts 1 / t.
    for (const [of, share] of [
      ['rank_before', risk.firstGuessRightBefore!],
      ['rank_after', risk.firstGuessRightAfter!],
    ] as const) {
      const least = records((row) => row[of] === '1') + records((row) => row[of] === '1.5') / 2;
      const most = sum(rows.map((row) => Number(row.count) / (2 * Number(row[of]) - 1)));
      expect(share).toBeGreaterThanOrEqual(least / pairs - 1e-5);
      expect(share).toBeLessThanOrEqual(most / pairs + 1e-5);
    }
    expect(risk.valuesGivenAway).toBe(
      records((row) => Number(row.rank_before) > 1 && row.rank_after === '1' && Number(row.probability_after) > 0.5),
    );
    expect(risk.gainBitsMeanSe).toBeGreaterThan(0);
    expect(risk.gainBitsExcessSe).toBeGreaterThan(0);
    const parquet = await parquetReadObjects({
      file: (await run.store.get(run.keys.confidential.table('variable-risk').parquet)).buffer as ArrayBuffer,
      compressors,
    });
    expect(parquet).toHaveLength(rows.length);
    expect(String(parquet[3]!.probability_after)).toBe(rows[3]!.probability_after);
  });

  it('has of several unknown variables each by itself, and all together, whose gain counts', async () => {
    const unknown = [names[1]!, names[3]!];
    const { run, rows, risk } = await assessed({ attributeRisk: { candidates: { unknown } } });
    const { table: stored } = await readRunContext(run.store, run.plan.runId);
    for (const combination of [0, 5]) {
      const codes = stored.combinations.codes.slice(combination * names.length, (combination + 1) * names.length);
      const candidates = await weights(run, combination, codes);
      const own = rows.filter((row) => Number(row.combination) === combination + 1);
      for (const [i, variables] of [[1], [3], [1, 3]].entries()) expectRow(own[i]!, candidates, variables, true);
      expect(own).toHaveLength(3);
    }
    expect(risk.gainBitsMean).toBeCloseTo(meanGain(rows.filter(({ variable }) => variable!.includes(';'))), 5);
    expect(risk.variables.map(({ variable }) => variable)).toEqual(unknown);
  });

  it('has rows of records where variables are kept', async () => {
    const synthesized = [names[2]!];
    const { header, rows, risk } = await assessed({ synthesis: { synthesized } });
    expect(header).toEqual(['record', ...HEADER]);
    expect(rows.map(({ record }) => Number(record))).toEqual(Array.from({ length: RECORDS }, (_, i) => i + 1));
    expect(new Set(rows.map(({ variable }) => variable))).toEqual(new Set(synthesized));
    expect(risk.gainBitsMean).toBeCloseTo(meanGain(rows), 5);
  });

  it('is absent where cells are not listed, and errors are where a single dataset is', async () => {
    const cells = await runFigures(request({ attributeRisk: { candidates: 'all-cells' } }));
    const { store, keys } = cells;
    expect(await store.head(keys.confidential.table('variable-risk').csv)).toBeNull();
    const [risk] = (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk;
    expect(risk).toMatchObject({ gainBitsMean: null, firstGuessRightAfter: null, variables: [] });
    expect(risk!.gainBitsReason).toMatch(/cells/);
    expect(risk).toMatchObject({ privacyLossMax: null, privacyLossReason: 'cells are not listed one by one' });
    const one = await assessed({ synthesis: { datasets: 1 } });
    expect(one.risk).toMatchObject({ gainBitsMeanSe: null, gainBitsExcessSe: null });
    expect(one.risk.gainBitsSeReason).toMatch(/single dataset/);
    expect(one.risk.gainBitsMean).toBeCloseTo(meanGain(one.rows), 5);
  });
});

describe('claim and achievement', () => {
  it('raise a warning where they differ by more than their error', async () => {
    const claim = async (slope: number) => {
      const { run, risk } = await assessed({ synthesis: { datasets: 8 }, attributeRisk: { slope, phi: 'drawn' } });
      const { warnings } = await readJson(run.store, run.keys.confidential.summary, summarySchema);
      const differs = Math.abs(risk.gainBitsExcess!) > risk.gainBitsExcessHalfWidth!;
      const warned = warnings.filter(({ code }) => code === 'claim-differs');
      expect(warned).toHaveLength(differs ? 1 : 0);
      return warned;
    };
    expect(await claim(1)).toEqual([]);
    // A likelihood that counts many times claims far more than it achieves.
    expect((await claim(12))[0]!.message).toMatch(/overstates what the release reveals/);
  });
});
