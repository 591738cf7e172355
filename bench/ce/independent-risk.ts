import { DEFAULT_SWEEP_RADII, type Radius } from '../../shared/contracts/config/identification-scenario.ts';
import { createRecordMatcher } from '../../shared/risk/matching/record-matches.ts';
import type { Table } from '../../shared/table/table.ts';
import { AGE_RADIUS, KNOWN, variableIndex } from './scenarios.ts';

/**
 * The file-level risk that is expected of datasets whose one synthesized variable is drawn from its whole column, at each
 * radius. Of the n_i rows that agree with record i on what is known, each has a matching value with probability p_i,
 * independently of all others and of its record. Given c matches the record's own row is one of them with probability
 * c / n_i, so that E[T_i / c_i] = P(c_i > 0) / n_i = (1 - (1 - p_i)^n_i) / n_i.
 *
 * @param variable a continuous one
 * @param age as in a counting rule
 */
export function independentRisk(table: Table, variable: string, age: 'fixed' | 'swept'): Float64Array {
  const radii = DEFAULT_SWEEP_RADII;
  const known = KNOWN.map((name) => variableIndex(table, name));
  const ofType = (type: string) => known.filter((index) => table.schema.variables[index]!.type === type);
  const agreeing = matchesOfTable(
    table,
    ofType('categorical'),
    ofType('continuous'),
    age === 'fixed' ? radii.map(() => AGE_RADIUS) : radii,
  );
  const matching = matchesOfTable(table, [], [variableIndex(table, variable)], radii);
  return Float64Array.from(radii, (_, point) => {
    let sum = 0;
    for (let record = 0; record < table.records; record++) {
      const rows = agreeing[point]![record]!;
      sum += (1 - (1 - matching[point]![record]! / table.records) ** rows) / rows;
    }
    return sum / table.records;
  });
}

/** For each radius, how many records of the table match each of them. */
function matchesOfTable(
  table: Table,
  categorical: readonly number[],
  continuous: readonly number[],
  radii: readonly number[],
): Float64Array[] {
  const points = radii.map((relative): Radius[] => continuous.map(() => ({ relative })));
  const found = points.map(() => new Float64Array(table.records));
  const matcher = createRecordMatcher(table, { categorical, continuous, shape: 'box' });
  matcher.match(table, { families: 1, levels: points.length, points }, (record, counts) => {
    for (let point = 0; point < found.length; point++) found[point]![record] = counts[point]!;
  });
  return found;
}
