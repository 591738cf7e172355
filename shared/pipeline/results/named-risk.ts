import { contextOfScenario, readRunModel, type ScenarioModel } from '../../artifacts/run-context.ts';
import { readRisk, readValueParts } from '../../artifacts/stored-part.ts';
import { withErrors } from '../../contracts/figure-errors.ts';
import type { FileNumbers, GroupNumbers, GroupRisk, NamedRisk, RowNumbers } from '../../contracts/results/named-risk.ts';
import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { scenarioNumber } from '../../contracts/run/scenarios.ts';
import type { AttributeRisk } from '../../risk/attribute/attribute-risk.ts';
import type { HalvesStandFor } from '../../risk/attribute/attribute-summary.ts';
import { GROUP_FIGURES, groupMeans } from '../../risk/attribute/group-risk.ts';
import { valueAt } from '../../risk/attribute/value-risk.ts';
import type { Store } from '../../storage/store.ts';
import { methodOf } from '../methods/methods.ts';
import { readJudgements } from '../rounds/stored-round.ts';
import { askedSets, continuousRows, readNumbers } from '../tables/continuous-rows.ts';
import { candidateNumbers, tableRows } from '../tables/risk-tables.ts';

type RowRisk = NamedRisk['rows'][number];

/** What is found of every row of a run, and what the errors of means over some of them are from. */
interface RunRisks {
  /** Number of each row, from 1: of its record where rows are records, and else of its combination. */
  readonly numbers: readonly number[];
  readonly rows: readonly RowRisk[];
  readonly isRanked: boolean;
  readonly risk: AttributeRisk;
  readonly halvesStandFor: HalvesStandFor;
}

const noMean = <Name extends string>(name: Name) => withErrors(name, null, { se: null, simulationSe: null, releaseSe: null });

/** What is null of a group where no candidates are ranked, and of no records. */
const NOT_RANKED = {
  ...noMean('truthRankedFirstShare'),
  ...noMean('rankMean'),
  ...noMean('probabilityMean'),
  probabilityMax: null,
  ...noMean('informationBitsMean'),
};

/** Why a variable has no figures. */
const HAS_CATEGORIES = 'the variable has categories in this run: its figures are among those of candidates';
const NO_VALUE = 'the value is missing';

const NO_NUMBERS = { withinBefore: null, withinAfter: null, withinAfterSe: null, gainBits: null };

/** How near an intruder comes to the numbers of each row, by its number from 1, and then by the name of the variable. */
async function numbersByRow(
  store: Store,
  context: ScenarioModel,
  round: number,
): Promise<ReadonlyMap<number, ReadonlyMap<string, RowNumbers>>> {
  const byRow = new Map<number, Map<string, RowNumbers>>();
  const found = continuousRows(context, await readNumbers(store, context, round));
  for (let row = 0; row < (found?.rows ?? 0); row++) {
    const { recordOf, variableOf, figure } = found!;
    const variable = variableOf(row);
    const own = {
      variable,
      withinBefore: figure(row, 'withinBefore'),
      withinAfter: figure(row, 'withinAfter'),
      withinAfterSe: figure(row, 'withinSe'),
      gainBits: figure(row, 'gainBits'),
    };
    const ofRecord = byRow.get(recordOf(row));
    if (ofRecord) ofRecord.set(variable, own);
    else byRow.set(recordOf(row), new Map([[variable, own]]));
  }
  return byRow;
}

/** What each row gains in the value sets whose gains add up. */
async function gainsOfRows(store: Store, context: ScenarioModel, round: number, rows: number): Promise<Float64Array> {
  const { count: sets, counted } = askedSets(context);
  const gains = new Float64Array(rows);
  for await (const { from, to, ...part } of readValueParts(store, context.scenario, round)) {
    for (let row = from; row < to; row++) {
      gains[row] = counted.reduce((sum, s) => sum + valueAt(part, (row - from) * sets + s, 'gainBits'), 0);
    }
  }
  return gains;
}

/** What is said of each of some continuous variables; nothing where there are none. */
const ofNumbers = <Figures>(names: readonly string[], figuresOf: (variable: string, place: number) => Figures) =>
  names.length === 0 ? {} : { continuousVariables: names.map(figuresOf) };

/** How near an intruder comes to a continuous variable over some rows, each of a record. */
function groupNumbers(rows: readonly RowRisk[], place: number): GroupNumbers {
  const all = rows.map(({ continuousVariables }) => continuousVariables![place]!);
  const own = all.filter(({ withinAfter }) => withinAfter !== null);
  const { variable } = all[0]!;
  const mean = (name: keyof typeof NO_NUMBERS) => own.reduce((sum, row) => sum + row[name]!, 0) / own.length;
  if (own.length === 0) {
    return { variable, records: 0, ...NO_GROUP_NUMBERS, ...(all[0]!.reason === undefined ? {} : { reason: all[0]!.reason }) };
  }
  return {
    variable,
    records: own.length,
    withinBeforeMean: mean('withinBefore'),
    withinAfterMean: mean('withinAfter'),
    withinAfterMeanSe: mean('withinAfterSe'),
    withinAfterMax: own.reduce((largest, { withinAfter }) => Math.max(largest, withinAfter!), 0),
    gainBitsMean: mean('gainBits'),
  };
}

const NO_GROUP_NUMBERS = {
  ...{ withinBeforeMean: null, withinAfterMean: null, withinAfterMeanSe: null, withinAfterMax: null },
  gainBitsMean: null,
};

/** Figures of the rows at some places (from 0), weighted by their records. */
function groupRisk(
  { rows: all, risk, isRanked: ranked, halvesStandFor }: RunRisks,
  places: readonly number[],
  names: readonly string[],
): GroupRisk {
  const rows = places.map((place) => all[place]!);
  const records = rows.reduce((sum, { count }) => sum + count, 0);
  const numbers = ofNumbers(names, (variable, place) =>
    records === 0 ? { variable, records, ...NO_GROUP_NUMBERS } : groupNumbers(rows, place),
  );
  if (records === 0) return { records, ...NOT_RANKED, gainBitsMean: null, ...numbers };
  const gainBitsMean = rows.some(({ gainBits }) => gainBits === null)
    ? null
    : rows.reduce((sum, { count, gainBits }) => sum + count * gainBits!, 0) / records;
  if (!ranked) return { records, ...NOT_RANKED, gainBitsMean, ...numbers };
  const means = groupMeans(
    risk,
    places,
    all.map(({ count }) => count),
    halvesStandFor,
  );
  const figures = GROUP_FIGURES.flatMap((name): [string, number | null][] => [
    [name, means[name].mean],
    [`${name}Se`, means[name].se],
    [`${name}SimulationSe`, means[name].simulationSe],
    [`${name}ReleaseSe`, means[name].releaseSe],
  ]);
  return {
    ...NOT_RANKED,
    ...Object.fromEntries(figures),
    records,
    probabilityMax: rows.reduce((largest, { probability }) => Math.max(largest, probability!), 0),
    gainBitsMean,
    ...numbers,
  };
}

/** The attribute risk of every row of an assessed run under the scenario that a summary is of. */
async function readRisks(store: Store, runId: string, summary: AttributeRiskSummary, names: readonly string[]): Promise<RunRisks> {
  const whole = await readRunModel(store, runId);
  const context = contextOfScenario(whole, scenarioNumber(whole.plan, summary.scenario));
  const { scenario: own, space } = context;
  const { round } = (await readJudgements(store, runId)).at(-1)!;
  const risk = await readRisk(store, own, round);
  const { ofRecords, combinationOf, countOf } = await tableRows(store, context);
  const candidates = candidateNumbers(context);
  const gains = summary.gainBitsMean === null ? null : await gainsOfRows(store, context, round, risk.rank.length);
  const numbersOf = await numbersByRow(store, context, round);
  const continuous = new Set(continuousNames(summary));
  const numberOf = (row: number) => (context.numbers?.[row] ?? row) + 1;
  const ranked = isRanked(summary);
  const rows = Array.from(risk.rank, (rank, row): RowRisk => {
    const number = numberOf(row);
    return {
      ...(ofRecords ? { record: number } : {}),
      combination: combinationOf(row) + 1,
      count: countOf(row),
      candidates: candidates?.[row] ?? space.perCombination,
      rank: ranked ? rank : null,
      probability: ranked ? risk.probability[row]! : null,
      probabilitySe: ranked ? risk.probabilitySe[row]! : null,
      informationBits: ranked ? risk.informationBits[row]! : null,
      gainBits: gains && gains[row]!,
      ...ofNumbers(
        names,
        (variable): RowNumbers =>
          numbersOf.get(number)?.get(variable) ?? { variable, ...NO_NUMBERS, reason: continuous.has(variable) ? NO_VALUE : HAS_CATEGORIES },
      ),
    };
  });
  return {
    numbers: rows.map((_, row) => numberOf(row)),
    rows,
    isRanked: ranked,
    risk,
    halvesStandFor: methodOf(whole.plan.config, own).halves,
  };
}

const withError = (mean: number, standardError: number | null) => ({ mean, standardError });

/** How near an intruder comes to a continuous variable over a whole file. */
function fileNumbers({ continuousVariables = [] }: AttributeRiskSummary, variable: string): FileNumbers {
  const own = continuousVariables.find((one) => one.variable === variable);
  if (own === undefined) {
    return { variable, near: null, records: 0, withinBefore: null, withinAfter: null, gainBits: null, reason: HAS_CATEGORIES };
  }
  return {
    variable,
    near: own.near,
    records: own.records,
    withinBefore: withError(own.withinBefore, own.withinBeforeSe),
    withinAfter: withError(own.withinAfter, own.withinAfterSe),
    gainBits: withError(own.gainBitsMean, own.gainBitsMeanSe),
  };
}

/** The continuous variables that have a density under a scenario. */
export const continuousNames = ({ continuousVariables = [] }: AttributeRiskSummary): string[] =>
  continuousVariables.map(({ variable }) => variable);

/**
 * What an assessed run says of some rows of its table (numbers from 1: of records where rows are records, and else of combinations), and
 * of all others.
 *
 * @param risk the run's own summary under one of its scenarios
 * @param names continuous variables of which there are figures; one that has categories in this run has reasons in their place
 */
export async function namedRisk(
  store: Store,
  runId: string,
  risk: AttributeRiskSummary,
  named: readonly number[],
  names: readonly string[] = continuousNames(risk),
): Promise<NamedRisk> {
  const found = await readRisks(store, runId, risk, names);
  const { rows, numbers } = found;
  const isNamed = new Set(named);
  const places = [...rows.keys()];
  const own = places.filter((place) => isNamed.has(numbers[place]!));
  const ranked = isRanked(risk);
  return {
    runId,
    file: {
      truthRankedFirstShare: ranked ? withError(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe) : null,
      probability: ranked ? withError(risk.probabilityMean, risk.probabilityMeanSe) : null,
      informationBits: ranked ? withError(risk.informationBitsMean, risk.informationBitsMeanSe) : null,
      gainBits: risk.gainBitsMean === null ? null : withError(risk.gainBitsMean, risk.gainBitsMeanSe),
      membership: risk.membership && {
        auc: withError(risk.membership.auc, risk.membership.aucSe),
        foundAt1Percent: withError(risk.membership.foundAt1Percent, risk.membership.foundAt1PercentSe),
      },
      ...ofNumbers(names, (variable) => fileNumbers(risk, variable)),
    },
    named: groupRisk(found, own, names),
    others: groupRisk(
      found,
      places.filter((place) => !isNamed.has(numbers[place]!)),
      names,
    ),
    rows: own.map((place) => rows[place]!),
  };
}
