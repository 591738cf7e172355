import { DEFAULT_SWEEP_RADII } from '../../shared/contracts/config/identification-scenario.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { rowsOfRecords } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { propensityUtility } from '../../shared/utility/propensity.ts';
import { datasetSource } from './dataset-source.ts';
import { type CountingRule, type FileRisk, fileRisk } from './file-risk.ts';
import { type Reading, SCENARIOS } from './scenarios.ts';
import { indexOfLargest, meanOf } from './spread.ts';

/** Rules of counting that are compared, by name. */
export const RULES = {
  fixed: { age: 'fixed' },
  swept: { age: 'swept' },
  packageFixed: { age: 'fixed', asPackage: true },
  packageSwept: { age: 'swept', asPackage: true },
  jointly: { age: 'fixed', jointly: true },
} as const satisfies Record<string, CountingRule>;

/** One of {@link RULES}. */
export type RuleName = keyof typeof RULES;

/** What was measured under one scenario, one element a dataset. */
export interface ScenarioMeasures {
  /** File-level risk under each rule, radius by radius. */
  readonly risks: Readonly<Record<RuleName, readonly (readonly number[])[]>>;
  /** Propensity score utility by main effects, and with pairs. */
  readonly utility: { readonly main: readonly number[]; readonly pairs: readonly number[] };
}

/** What was measured of one of the repeated releases, one element a dataset. */
export interface RepetitionMeasures {
  /** At the radius of most risk, with a fixed radius of age and with a swept one. */
  readonly fixed: readonly number[];
  readonly swept: readonly number[];
  /** By main effects. */
  readonly utility: readonly number[];
}

/** What was measured under one reading of 004. */
export interface ReadingMeasures {
  /** In the order of the scenarios. */
  readonly scenarios: readonly ScenarioMeasures[];
  /** Releases of the first scenario, drawn again and again. */
  readonly repetitions: readonly RepetitionMeasures[];
}

/** How much is measured. */
export interface StudySize {
  /** m, the datasets of a release. */
  readonly datasets: number;
  /** Releases that are drawn of the first scenario to see how they vary. */
  readonly repetitions: number;
  readonly seed: number;
}

/** Propensity score utility of a dataset (004 eq. 6). */
const distance = (table: Table, dataset: Table, terms: 'main' | 'pairs') =>
  propensityUtility(rowsOfRecords(table), rowsOfRecords(dataset), terms, 'partial').score!.pmse;

/**
 * Draws the releases of all scenarios under a reading and measures them. Every dataset has a random stream of its own,
 * named after what it is part of, so that equal seeds give equal figures in whatever order they are computed.
 */
export function measureReading(table: Table, reading: Reading, size: StudySize): ReadingMeasures {
  const { datasets, repetitions, seed } = size;
  const stream = (...parts: readonly number[]) => new RandomStream(seed, `ce/${reading}/${parts.join('/')}`);
  const rules = Object.entries(RULES) as [RuleName, CountingRule][];
  const scenarios = SCENARIOS.map((scenario, s): ScenarioMeasures => {
    const draw = datasetSource(table, scenario, reading);
    const counters = rules.map(([name, rule]): [RuleName, FileRisk] => [
      name,
      fileRisk(table, scenario, rule),
    ]);
    const risks = Object.fromEntries(
      counters.map(([name, { points }]) => [name, points.map((): number[] => [])]),
    ) as Record<RuleName, number[][]>;
    const utility = { main: [] as number[], pairs: [] as number[] };
    for (let dataset = 1; dataset <= datasets; dataset++) {
      const drawn = draw(stream(s + 1, dataset));
      for (const [name, counter] of counters) {
        for (const [point, risk] of counter.of(drawn).entries()) risks[name][point]!.push(risk);
      }
      utility.main.push(distance(table, drawn, 'main'));
      utility.pairs.push(distance(table, drawn, 'pairs'));
    }
    return { risks, utility };
  });

  const [scenario] = SCENARIOS;
  const draw = datasetSource(table, scenario!, reading);
  const atMaximum = (age: 'fixed' | 'swept') => {
    const point = indexOfLargest(scenarios[0]!.risks[age].map(meanOf));
    return fileRisk(table, scenario!, { age, radii: [DEFAULT_SWEEP_RADII[point]!] });
  };
  const [fixed, swept] = [atMaximum('fixed'), atMaximum('swept')];
  return {
    scenarios,
    repetitions: Array.from({ length: repetitions }, (_, repetition) => {
      const drawn = Array.from({ length: datasets }, (_, l) => draw(stream(1, l + 1, repetition + 1)));
      return {
        fixed: drawn.map((dataset) => fixed.of(dataset)[0]!),
        swept: drawn.map((dataset) => swept.of(dataset)[0]!),
        utility: drawn.map((dataset) => distance(table, dataset, 'main')),
      };
    }),
  };
}
