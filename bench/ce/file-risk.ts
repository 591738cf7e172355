import { DEFAULT_SWEEP_RADII, type Radius } from '../../shared/contracts/config/identification-scenario.ts';
import { matchingOf, openScenario } from '../../shared/risk/identification/opened-scenario.ts';
import { createRecordMatcher } from '../../shared/risk/matching/record-matches.ts';
import type { Table } from '../../shared/table/table.ts';
import { AGE_RADIUS, KNOWN, variableIndex } from './scenarios.ts';

/** How matches are counted. */
export interface CountingRule {
  /** The radius of age stays {@link AGE_RADIUS}, or is swept with the others. */
  readonly age: 'fixed' | 'swept';
  /** Swept radii are all the same, or take every combination. */
  readonly jointly?: boolean;
  /**
   * As the R package of 004 counts: a value on the border of an interval does not match, and around a true value of zero
   * or less nothing does, since its interval is empty.
   */
  readonly asPackage?: boolean;
  /** Default: those of 004. */
  readonly radii?: readonly number[];
}

/** File-level risk at several radii. */
export interface FileRisk {
  /** At each point, the radius of every continuous variable that is matched, by name. */
  readonly points: readonly Readonly<Record<string, Radius>>[];
  /** Mean over records of T/c (004 eq. 2 divided by n), one for each point. */
  of(dataset: Table): Float64Array;
}

/** What makes an interval an open one: no value of the table is that near to a border but on it. */
const OPEN = 1 - 1e-7;

/** The file-level risk of datasets under one of the scenarios. */
export function fileRisk(table: Table, scenario: readonly string[], rule: CountingRule): FileRisk {
  const { age, jointly = false, asPackage = false, radii = DEFAULT_SWEEP_RADII } = rule;
  const shrink = asPackage ? OPEN : 1;
  const opened = openScenario(table.schema, {
    known: KNOWN,
    radius: age === 'fixed' ? { Age: { relative: AGE_RADIUS * shrink } } : {},
    shape: 'box',
    sweep: { radii: radii.map((radius) => radius * shrink), jointly },
  });
  const guessed = scenario.map((name) => variableIndex(table, name));
  const { matching, grid, continuous } = matchingOf(table.schema, opened, guessed);
  const matcher = createRecordMatcher(table, matching);
  const positive = matching.continuous.map((variable) => {
    const column = table.columns[variable]!;
    return (record: number) => column.type === 'continuous' && column.values[record]! > 0;
  });
  return {
    points: grid.points.map((point) => Object.fromEntries(continuous.map((name, v) => [name, point[v]!]))),
    of(dataset) {
      const sums = new Float64Array(grid.points.length);
      matcher.match(dataset, grid, (record, counts, own) => {
        if (asPackage && !positive.every((isPositive) => isPositive(record))) return;
        for (let point = 0; point < sums.length; point++) if (own[point]) sums[point]! += 1 / counts[point]!;
      });
      return sums.map((sum) => sum / table.records);
    },
  };
}
