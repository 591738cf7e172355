import { describe, expect, it } from 'vitest';
import { decodeNpy } from '../../../shared/arrays/npy.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import type { MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { normalized } from '../../exact-posterior.ts';
import { FORGETFUL_CHAINS } from '../exact-run.ts';
import {
  CELLS,
  furthest,
  LEVELS,
  logMarginal,
  logPredictive,
  type MixedRecord,
  rowsOf,
  runMixed,
  view,
  withUnit,
} from './exact-mixed-run.ts';

/** Five records with a mass, so few that every allocation of what the intruder has, a guess and a dataset can be summed over. */
const records: readonly MixedRecord[] = [
  ['a', 0, 10.5],
  ['a', 90, 20.1],
  ['b', 120, 38.2],
  ['c', 310, 41.4],
  ['b', 0, 12.7],
];
const people: readonly MixedRecord[] = [
  ['a', 80, 19.3],
  ['c', 0, 44],
];
/** What the density in the middle of a cell is off by. */
const MIDDLE = 3e-4;
const mcmc = { ...FORGETFUL_CHAINS, thin: 3, draws: 300 };

const valuesOf = (log: readonly number[]) => Float64Array.from(log);

/** log E[f(x) | D_A] and log E[f(x) | D_A, Z(l)] of a guess, which is the last of the rows. */
const densitiesOf = (rows: MixedRows, datasets: readonly MixedRows[]) => ({
  before: rows.rows === 1 ? logMarginal(rows) : logPredictive(rows),
  after: datasets.map((dataset) => logPredictive(rows, dataset)),
});

type Densities = ReturnType<typeof densitiesOf>;
const likelihoodOf = ({ before, after }: Densities, l: number) => after[l]! - before;
const meanOf = (own: Densities) => own.after.reduce((sum, one) => sum + one - own.before, 0) / own.after.length;

/** The exact probability of the first of some guesses by their log-likelihoods. */
const first = (logs: readonly number[]) => normalized(valuesOf(logs))[0]!;

describe('an intruder who does not have all records but one, under the model mixed, against sums over every allocation', () => {
  it.each([
    ['nothing, one dataset', 'nothing', 1],
    ['nothing, two datasets', 'nothing', 2],
    ['a share, one dataset', { share: 0.4 }, 1],
    ['a file, two datasets', { file: 'known.csv' }, 2],
  ] as const)('is exact: %s', async (_, knows, m) => {
    const run = await runMixed(records, {
      mcmc,
      synthesis: { datasets: m },
      attributeRisk: { scenarios: [{ name: 'knows less', knows }] },
      control: people,
      ...(typeof knows === 'object' && 'file' in knows ? { known: [1, 4] } : {}),
    });
    const { datasets, plan, store, summary } = run;
    const stored = plan.config.attributeRisk.scenarios[0]!.knows!;
    const name = stored === 'nothing' ? 'nothing' : 'share' in stored ? `share-${stored.share}` : `file-${stored.number}`;
    const key = runKeys(plan.runId).table.known(name);
    const isKnown = [...(decodeNpy(await store.get(key), key).data as Uint32Array)];
    expect(isKnown.reduce((sum, one) => sum + one, 0)).toBe(knows === 'nothing' ? 0 : 2);
    const known = records.filter((_, i) => isKnown[i] === 1);
    const atRisk = [...records.keys()].filter((i) => isKnown[i] === 0);
    const densities = (own: MixedRecord, has = known) => densitiesOf(rowsOf([...has, own]), datasets);

    const rows = await run.tableOf('attribute-risk');
    expect(rows.map(({ record }) => Number(record))).toEqual(atRisk.map((i) => i + 1));
    expect(rows.map(({ level, income }) => [level, Number(income)])).toEqual(atRisk.map((i) => records[i]!.slice(0, 2)));
    const guesses = (i: number, has = known) => {
      const [level, ...others] = records[i]!;
      return [level!, ...LEVELS.filter((one) => one !== level)].map((guess) => densities([guess, ...others], has));
    };
    const truths = (has = known) => atRisk.map((i) => first(guesses(i, has).map(meanOf)));
    expect(furthest(rows, 'probability', truths())).toBeLessThan(4);
    expect(Math.max(...rows.map((row) => Number(row.probability_se)))).toBeLessThan(0.02);
    const wrong = knows === 'nothing' ? records.slice(0, 2) : [];
    expect(furthest(rows, 'probability', truths(wrong))).toBeGreaterThan(5);

    const risk = summary.attributeRisk[0]!;
    expect(risk.records).toBe(atRisk.length);
    expect(risk.together).toBe(m === 1 ? 'one dataset: exact' : 'mean of log-likelihoods over datasets: an approximation');
    expect(risk.reconstruction).toBeNull();
    for (const [l, { probabilityMean, probabilityMeanSe }] of risk.separately!.entries()) {
      const exact = atRisk.reduce((sum, i) => sum + first(guesses(i).map((own) => likelihoodOf(own, l))), 0) / atRisk.length;
      expect(Math.abs(probabilityMean - exact)).toBeLessThan(4 * probabilityMeanSe + 1e-6);
    }
    const product = atRisk.reduce((sum, i) => sum + first(guesses(i).map((own) => m * meanOf(own))), 0) / atRisk.length;
    expect(Math.abs(risk.productOfDatasets!.probabilityMean - product)).toBeLessThan(4 * risk.productOfDatasets!.probabilityMeanSe + 1e-6);

    // Who is in the table: the same quotient.
    const bits = (own: MixedRecord) => meanOf(densities(own)) / Math.LN2;
    expect(
      furthest(
        rows,
        'membership_bits',
        atRisk.map((i) => bits(records[i]!)),
      ),
    ).toBeLessThan(4);
    expect(furthest(await run.tableOf('control-membership'), 'membership_bits', people.map(bits))).toBeLessThan(4);

    // Numbers: masses and cells before and after, the truth scored at its value.
    for (const row of await run.tableOf('continuous-risk')) {
      const i = Number(row.record) - 1;
      const j = row.variable === 'income' ? 0 : 1;
      const { variable, declared } = view.continuous[j]!;
      expect(Number(row.value)).toBe(records[i]![variable]);
      const all = [...known, records[i]!];
      const near = Math.max(0.1 * Number(row.value), j === 0 ? 0.5 : 0.05);
      const isNear = (from: number, to: number) => {
        const overlap = Math.min(to, Number(row.value) + near) - Math.max(from, Number(row.value) - near);
        return from === to ? Number(overlap >= 0) : Math.max(0, overlap) / (to - from);
      };
      const bound = (c: number) => view.continuous[j]!.scale.fromUnit(c / CELLS);
      const entries = [
        ...declared.masses.map((mass) => {
          const own = densities(records[i]!.with(variable, mass) as unknown as MixedRecord);
          return { own, width: 1, within: isNear(mass, mass) };
        }),
        ...Array.from({ length: CELLS }, (_, c) => {
          const own = densitiesOf(withUnit(all, all.length - 1, j, (c + 0.5) / CELLS), datasets);
          return { own, width: 1 / CELLS, within: isNear(bound(c), bound(c + 1)) };
        }),
      ];
      const before = entries.map(({ own, width }) => width * Math.exp(own.before));
      const after = entries.map(({ own }, e) => before[e]! * Math.exp(meanOf(own)));
      const total = (weights: readonly number[]) => weights.reduce((sum, one) => sum + one, 0);
      const within = (weights: readonly number[]) => total(weights.map((one, e) => one * entries[e]!.within)) / total(weights);
      const gain = meanOf(densities(records[i]!)) / Math.LN2 - Math.log2(total(after) / total(before));
      const name = `record ${i + 1}, ${row.variable}`;
      expect(Math.abs(Number(row.gain_bits) - gain), name).toBeLessThan(0.15);
      expect(Math.abs(Number(row.within_after) - within(after)), name).toBeLessThan(4 * Number(row.within_se) + MIDDLE);
      // Before the release somebody without a record has the prior, of which nothing is simulated.
      expect(Math.abs(Number(row.within_before) - within(before)), name).toBeLessThan(knows === 'nothing' ? MIDDLE : 0.02);
    }
  });
});
