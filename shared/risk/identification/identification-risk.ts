import type { Radius } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { AppliedIdentificationRisk, IdentificationRiskSummary } from '../../contracts/results/identification.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import type { Table } from '../../table/table.ts';
import { createRecordMatcher, type RecordMatcher } from '../matching/record-matches.ts';
import { changedRows, holdSameValues, reorderedRows, requireSameRecords } from './kept-rows.ts';
import { classesOfRisk, MatchSums, spreadOfFigures } from './match-figures.ts';
import { matchingOf, type OpenedScenario, type ScenarioMatching } from './opened-scenario.ts';

/** What every record of one dataset is matched by. */
export interface RecordMatches {
  /** c: rows of the dataset that match the record. */
  readonly matches: Uint32Array;
  /** T: 1 when the record's own row is among them. */
  readonly ownMatches: Uint8Array;
}

/** Identification risk of a release under one scenario; without records where it does not apply. */
export interface IdentificationRisk {
  readonly summary: IdentificationRiskSummary;
  readonly records: readonly RecordMatches[];
}

/** T/c, and 0 where T is 0 (Hu & Savitsky 2018, section 4.2.1). */
export function recordRisk({ matches, ownMatches }: RecordMatches, record: number): number {
  return ownMatches[record] ? 1 / matches[record]! : 0;
}

/** Why there is no identification risk, in a sentence that follows the scenario's name. */
const FULLY_SYNTHETIC =
  'In fully synthetic data no row belongs to a record, so that there is nothing to identify by matching (Hu et al. 2014, section 3).';

const DECLARED =
  'no variable was named as kept, so that all count as synthesized: where datasets keep some, name the others (synthesis.synthesized, --synthesized).';
const SEEN = 'no variable of the table is kept in the datasets row by row.';

/** The summary of a scenario for data whose every variable is synthesized, as the settings say or the values of the datasets show. */
export function fullySyntheticRisk(
  scenario: string,
  known: readonly string[],
  synthesized: readonly string[],
  evidence: 'declared' | 'seen',
): IdentificationRiskSummary {
  return {
    scenario,
    known: [...known],
    synthesized: [...synthesized],
    applies: false,
    reason: `${evidence === 'declared' ? DECLARED : SEEN} ${FULLY_SYNTHETIC}`,
  };
}

/** Which variables the datasets change, and where a known one is changed first. */
interface Changes {
  readonly changed: readonly boolean[];
  /** The known variables that are not kept in the first dataset of that kind; null when all datasets keep all. */
  readonly notKept: { dataset: number; variables: readonly number[]; rows: number; reordered: boolean } | null;
}

/** Compares datasets with the table; each step gives records that were looked at. */
function* compareDatasets(table: Table, datasets: readonly Table[], { known, synthesized }: OpenedScenario): Generator<number, Changes> {
  const changed = table.columns.map(() => false);
  let notKept: Changes['notKept'] = null;
  for (const [l, dataset] of datasets.entries()) {
    requireSameRecords(table, dataset, l + 1);
    const rows = changedRows(table, dataset);
    for (const [variable, count] of rows.entries()) changed[variable] ||= count > 0;
    const variables = known.filter((variable) => rows[variable]! > 0);
    if (variables.length > 0 && notKept === null) {
      const kept = synthesized ? table.columns.map((_, variable) => variable).filter((variable) => !synthesized.includes(variable)) : known;
      const most = Math.max(...variables.map((variable) => rows[variable]!));
      notKept = { dataset: l + 1, variables, rows: most, reordered: holdSameValues(table, dataset, kept) };
    }
    yield table.records;
  }
  return { changed, notKept };
}

/** Refuses datasets that do not keep what the intruder knows, unless they keep nothing at all. */
function requireKept(table: Table, { notKept, changed }: Changes): void {
  if (notKept === null) return;
  const { dataset, variables, rows, reordered } = notKept;
  const names = variables.map((variable) => table.schema.variables[variable]!.name).join(', ');
  if (reordered) throw reorderedRows(dataset, names);
  if (changed.every(Boolean)) return;
  throw new InvalidConfigError(
    'known-variables-differ',
    `Dataset ${dataset} has other values of ${names} than the table, in up to ${rows} of ${table.records} rows: what is known must be kept, and row i of a dataset must be record i. Name as known only variables that were not synthesized.`,
  );
}

/** The curve of a sweep: a pass over the datasets that keeps sums alone. Each step gives records that were looked at. */
function* sweepDatasets(
  matcher: RecordMatcher,
  { swept, continuous, grid }: ScenarioMatching,
  jointly: boolean,
  datasets: readonly Table[],
): Generator<number, NonNullable<AppliedIdentificationRisk['sweep']>> {
  const risks = grid.points.map((): number[] => []);
  for (const dataset of datasets) {
    const sums = new MatchSums(grid.points.length);
    yield* matcher.steps(dataset, grid, (_, counts, ownMatches) => sums.add(counts, ownMatches));
    for (const [point, ofPoint] of risks.entries()) ofPoint.push(sums.expectedMatchRisk(point));
  }
  const points = grid.points.map((radii, point) => ({
    radii: namedRadii(continuous, radii),
    expectedMatchRisk: risks[point]!,
    expectedMatchRiskMean: risks[point]!.reduce((sum, risk) => sum + risk, 0) / datasets.length,
  }));
  const largest = Math.max(...points.map(({ expectedMatchRiskMean }) => expectedMatchRiskMean));
  const maximum = points.findIndex(({ expectedMatchRiskMean }) => expectedMatchRiskMean === largest);
  return { variables: [...swept], jointly, points, maximum };
}

function namedRadii(names: readonly string[], radii: readonly Radius[]): Record<string, Radius> {
  return Object.fromEntries(names.map((name, v) => [name, radii[v]!]));
}

/**
 * Identification risk of a release by matching (Hu & Savitsky 2018, section 4.2, Hornby & Hu 2021, section 2): for every record
 * and dataset, how many rows agree with its known values and with its true synthesized ones, and whether its own row is among
 * them. A sweep is decided by the mean of the datasets. An order among records that share all kept values cannot be seen.
 *
 * @returns steps in records that were looked at
 */
function* identificationRisk(table: Table, datasets: readonly Table[], scenario: OpenedScenario): Generator<number, IdentificationRisk> {
  const { schema, records } = table;
  const changes = yield* compareDatasets(table, datasets, scenario);
  requireKept(table, changes);
  const isKnown = (variable: number) => scenario.known.includes(variable);
  const synthesized = scenario.synthesized ?? schema.variables.map((_, v) => v).filter((v) => changes.changed[v] && !isKnown(v));
  const names = (variables: readonly number[]) => variables.map((v) => schema.variables[v]!.name);
  if (changes.changed.every(Boolean)) {
    return { summary: fullySyntheticRisk(scenario.name, names(scenario.known), names(synthesized), 'seen'), records: [] };
  }
  const matching = scenario.matching ?? matchingOf(schema, scenario, synthesized);
  const matcher = createRecordMatcher(table, matching.matching);
  const sweep = scenario.sweep && (yield* sweepDatasets(matcher, matching, scenario.sweep.jointly, datasets));
  const radii = matching.grid.points[sweep?.maximum ?? 0]!;
  const atMaximum = { families: 1, levels: 1, points: [radii] };

  const byDataset: RecordMatches[] = [];
  const figures: AppliedIdentificationRisk['datasets'] = [];
  const risks = new Float64Array(records);
  for (const dataset of datasets) {
    const matches = new Uint32Array(records);
    const ownMatches = new Uint8Array(records);
    const sums = new MatchSums(1);
    yield* matcher.steps(dataset, atMaximum, (record, counts, ownAtPoint) => {
      sums.add(counts, ownAtPoint);
      matches[record] = counts[0]!;
      ownMatches[record] = ownAtPoint[0]!;
      if (ownAtPoint[0]) risks[record]! += 1 / counts[0]!;
    });
    byDataset.push({ matches, ownMatches });
    figures.push(sums.figures(0, records));
  }
  return {
    summary: {
      scenario: scenario.name,
      known: names(scenario.known),
      synthesized: names(synthesized),
      applies: true,
      records,
      shape: scenario.shape,
      radii: namedRadii(matching.continuous, radii),
      datasets: figures,
      ...spreadOfFigures(figures),
      recordRisks: classesOfRisk(risks.map((sum) => sum / datasets.length)),
      ...(sweep ? { sweep } : {}),
    },
    records: byDataset,
  };
}

/**
 * Identification risk of a release under one scenario after the other. It yields the records that were looked at so far,
 * {@link identificationUnits} at the end.
 *
 * @param datasets 1 or more, of the table's schema, row i of which is record i
 * @throws InvalidTableError `other-record-count`, `rows-in-another-order`
 * @throws InvalidConfigError `known-variables-differ`, and what `matchingOf` throws
 */
export function* identifyRelease(
  table: Table,
  datasets: readonly Table[],
  scenarios: readonly OpenedScenario[],
): Stepwise<IdentificationRisk[]> {
  const risks: IdentificationRisk[] = [];
  let done = 0;
  for (const scenario of scenarios) {
    const steps = identificationRisk(table, datasets, scenario);
    let next = steps.next();
    for (; !next.done; next = steps.next()) {
      done += next.value;
      yield done;
    }
    risks.push(next.value);
  }
  return risks;
}

/** Records that {@link identifyRelease} looks at: those of the table, in each of its passes over each dataset. */
export function identificationUnits({ records }: Table, datasets: readonly Table[], scenarios: readonly OpenedScenario[]): number {
  const passes = scenarios.reduce((sum, { sweep }) => sum + (sweep ? 3 : 2), 0);
  return records * datasets.length * passes;
}
