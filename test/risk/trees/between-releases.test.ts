import { describe, expect, it } from 'vitest';
import { treePosterior } from '../../../bench/plain/tree-posterior.ts';
import { candidateBands } from '../../../shared/contracts/config/bands.ts';
import { type CartSettings, synthesizeByCart } from '../../../shared/model/cart/synthesis.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { betweenDatasets } from '../../../shared/risk/attribute/release-error.ts';
import { type CandidateRisk, createTreeRisk } from '../../../shared/risk/trees/tree-risk.ts';
import { elementAt, type TreeRelease } from '../../../shared/risk/trees/tree-variables.ts';
import type { Table } from '../../../shared/table/table.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';

const OPTIONS = { exact: true, priorRecords: 1 };

/** A table of three variables of three categories, each of which the one before it tells something of. */
function drawnTable(records: number, seed: number): Table {
  const random = new RandomStream(seed, 'table');
  const rows = Array.from({ length: records }, () => {
    const next = (before: number) => (random.below(3) === 0 ? random.below(3) : before);
    const a = random.below(3);
    const b = next(a);
    return [a, b, next(b)];
  });
  return tableOf(
    [0, 1, 2].map((v) => categorical(rows.map((row) => row[v]!))),
    3,
  );
}

/** The same with an amount in place of its last variable: negative, zero or positive by its category, with ties. */
function withAmounts({ columns, records }: Table): Table {
  const last = columns[2]!;
  const sign = (record: number) => elementAt(last, record) - 1;
  const amounts = Array.from({ length: records }, (_, i) => sign(i) * (10 + 3 * (i % 4)));
  return tableOf([columns[0]!, columns[1]!, continuous(amounts)], 3);
}

const AMOUNTS = new Map([[2, candidateBands({ bands: [-100, 0, 5, 15] })]]);

function releaseOf(table: Table, settings: CartSettings, datasets: number, seed: number): TreeRelease {
  return {
    ...{ table, settings, bands: AMOUNTS },
    datasets: Array.from({ length: datasets }, (_, d) => synthesizeByCart(table, settings, new RandomStream(seed, `dataset/${d}`))),
  };
}

/** The gain at the truth of all records over all synthesized variables, in bits: of a release, and without each dataset. */
function gainsOf(release: TreeRelease, way: 'exact' | 'fixed'): { whole: number; without: number[] } {
  const { table, settings, datasets } = release;
  const risk = createTreeRisk(release, OPTIONS);
  let whole = 0;
  const without = datasets.map(() => 0);
  for (let record = 0; record < table.records; record++) {
    for (const [place, variable] of settings.synthesized.entries()) {
      const truth = elementAt(table.columns[variable]!, record);
      const found = risk.risksOf(record, risk.valuesAt(record, place))[way]!;
      const gain = (logRatios: Float64Array) => treePosterior({ ...found, logRatios }, truth, false).gainBits;
      whole += gain(found.logRatios);
      for (const [l, ratios] of found.logRatiosWithout!.entries()) without[l]! += gain(ratios);
    }
  }
  return { whole, without };
}

describe('the ratios of a release of trees without each dataset', () => {
  it.each([
    ['two variables', { synthesized: [2, 1], minimumLeaf: 2, complexity: 0 }],
    ['pruned trees', { synthesized: [1, 2], minimumLeaf: 1, complexity: 0.08 }],
    ['no kept predictors', { synthesized: [0, 1], minimumLeaf: 1, complexity: 0, predictors: 'none' as const }],
    ['bands of amounts', { synthesized: [2, 1], minimumLeaf: 2, complexity: 0 }],
    ['smoothed amounts', { synthesized: [1, 2], minimumLeaf: 2, complexity: 0, smoothing: true }],
  ])('are those of the release without it: %s', (name, growth) => {
    const settings: CartSettings = { smoothing: false, ...growth };
    const drawn = drawnTable(24, 5);
    const table = name.endsWith('amounts') ? withAmounts(drawn) : drawn;
    const release = releaseOf(table, settings, 3, 1);
    const risk = createTreeRisk(release, OPTIONS);
    const left = release.datasets.map((_, l) => createTreeRisk({ ...release, datasets: release.datasets.toSpliced(l, 1) }, OPTIONS));
    let impossible = 0;
    for (let record = 0; record < table.records; record++) {
      for (const place of settings.synthesized.keys()) {
        const cells = risk.valuesAt(record, place);
        const found = risk.risksOf(record, cells);
        for (const [l, alone] of left.entries()) {
          const expected = alone.risksOf(record, cells);
          for (const way of ['exact', 'fixed'] as const) {
            const own = (found[way] as CandidateRisk).logRatiosWithout![l]!;
            for (const [x, ratio] of own.entries()) {
              const only = expected[way]!.logRatios[x]!;
              if (only === -Infinity) impossible++;
              expect(ratio === only || Math.abs(ratio - only) < 1e-9).toBe(true);
            }
          }
        }
      }
    }
    expect(impossible).toBeGreaterThan(0);
  });

  it('are those of the other dataset where one alone was given a value that the record alone has', () => {
    // One record of group 0, whose value is 2, beside the values 0, 0 and 1 of group 1.
    const table = tableOf([categorical([0, 1, 1, 1]), categorical([2, 0, 0, 1])], 3);
    const settings: CartSettings = { synthesized: [0, 1], minimumLeaf: 1, complexity: 0, smoothing: false };
    const datasets = [
      [categorical([0, 1, 1, 1]), categorical([2, 0, 1, 0])],
      [categorical([1, 1, 1, 1]), categorical([0, 0, 1, 1])],
    ];
    const { fixed } = createTreeRisk({ table, settings, datasets }, OPTIONS).risksOf(0, [1, 0]);
    // With value 0 in group 1: four of four rows of group 1 in place of three, and three and one of four values for two and one.
    const [second, first] = fixed.logRatiosWithout!.map(([ratio]) => ratio);
    expect(second).toBeCloseTo(4 * Math.log(4 / 3) + 2 * Math.log(9 / 8) + 2 * Math.log(3 / 4), 12);
    expect(first).toBe(-Infinity);
  });

  it('are none of a single dataset', () => {
    const settings: CartSettings = { smoothing: false, synthesized: [2], minimumLeaf: 2, complexity: 0 };
    const risk = createTreeRisk(releaseOf(drawnTable(12, 1), settings, 1, 1), OPTIONS);
    const { exact, fixed } = risk.risksOf(3, [0, 1, 2]);
    expect([exact!.logRatiosWithout, fixed.logRatiosWithout]).toEqual([null, null]);
  });
});

describe('the error between releases of trees', () => {
  const RELEASES = 150;

  it.each([
    [2, 'exact', { synthesized: [2] }],
    [5, 'exact', { synthesized: [2] }],
    [5, 'fixed', { synthesized: [2] }],
    [3, 'exact', { synthesized: [1, 2] }],
  ] as const)('is how the gain of releases of %d datasets spreads: %s, %j', (datasets, way, which) => {
    const settings: CartSettings = { smoothing: false, minimumLeaf: 4, complexity: 0, ...which };
    const table = drawnTable(30, 7);
    let [sum, squares, variance] = [0, 0, 0];
    for (let seed = 1; seed <= RELEASES; seed++) {
      const { whole, without } = gainsOf(releaseOf(table, settings, datasets, seed), way);
      sum += whole;
      squares += whole * whole;
      variance += betweenDatasets(whole, without) / RELEASES;
    }
    const spread = (squares - (sum * sum) / RELEASES) / (RELEASES - 1);
    // Datasets tell the less the more there are, so that the last one's contribution varies more than it adds: it errs to
    // the large side.
    expect(Math.sqrt(variance / spread)).toBeGreaterThan(0.9);
    expect(Math.sqrt(variance / spread)).toBeLessThan(1.8);
  });
});
