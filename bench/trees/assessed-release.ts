import { type CartSettings, synthesizeByCart } from '../../shared/model/cart/synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { createTreeRisk } from '../../shared/risk/trees/tree-risk.ts';
import { elementAt, type TreeRelease } from '../../shared/risk/trees/tree-variables.ts';
import type { Table } from '../../shared/table/table.ts';
import { treePosterior } from '../plain/tree-posterior.ts';

/** Means over all records of what is learned of one variable, the others being known. */
export interface MeanRisk {
  readonly rightBefore: number;
  readonly rightAfter: number;
  readonly gainBits: number;
  readonly claimedBits: number;
  readonly proven: number;
}

/** What a release reveals about one of its variables, by both ways. */
export interface AssessedVariable {
  readonly exact: MeanRisk;
  readonly fixed: MeanRisk;
  /** Share of the changes of a record's value that change a tree. */
  readonly regrown: number;
}

/** A release of a table, always the same for the same settings. */
export function releaseOf(table: Table, settings: CartSettings, datasets: number): TreeRelease {
  return {
    ...{ table, settings },
    datasets: Array.from({ length: datasets }, (_, d) => synthesizeByCart(table, settings, new RandomStream(1, `bench/trees/${d}`))),
  };
}

const FIGURES = ['rightBefore', 'rightAfter', 'gainBits', 'claimedBits', 'proven'] as const;

function meansOf() {
  const sums = { rightBefore: 0, rightAfter: 0, gainBits: 0, claimedBits: 0, proven: 0 };
  return {
    add: (found: ReturnType<typeof treePosterior>) => {
      for (const figure of FIGURES) sums[figure] += Number(found[figure]);
    },
    means: (records: number): MeanRisk => {
      for (const figure of FIGURES) sums[figure] /= records;
      return sums;
    },
  };
}

/** What a release reveals about each synthesized variable of each record, the others being known. */
export function assessRelease(release: TreeRelease): AssessedVariable[] {
  const { table, settings } = release;
  const risk = createTreeRisk(release, { exact: true, priorRecords: 1 });
  return settings.synthesized.map((variable, place) => {
    const [exact, fixed] = [meansOf(), meansOf()];
    let [regrown, changes] = [0, 0];
    for (let record = 0; record < table.records; record++) {
      const truth = elementAt(table.columns[variable]!, record);
      const found = risk.risksOf(record, risk.valuesAt(record, place));
      exact.add(treePosterior(found.exact!, truth, false));
      fixed.add(treePosterior(found.fixed, truth, false));
      regrown += found.exact!.regrown.reduce((sum, one) => sum + one, 0);
      changes += found.exact!.regrown.length - 1;
    }
    return { exact: exact.means(table.records), fixed: fixed.means(table.records), regrown: regrown / changes };
  });
}
