import { contextOfScenario, readRunModel } from '../../artifacts/run-context.ts';
import { readRisk } from '../../artifacts/stored-part.ts';
import { withErrors } from '../../contracts/figure-errors.ts';
import type { GroupRisk, NamedRisk } from '../../contracts/results/named-risk.ts';
import type { RankedRisk } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { scenarioNumber } from '../../contracts/run/scenarios.ts';
import type { AttributeRisk } from '../../risk/attribute/attribute-risk.ts';
import type { HalvesStandFor } from '../../risk/attribute/attribute-summary.ts';
import { GROUP_FIGURES, groupMeans } from '../../risk/attribute/group-risk.ts';
import { VALUE_COLUMNS } from '../../risk/attribute/value-risk.ts';
import type { Store } from '../../storage/store.ts';
import { methodOf } from '../methods/methods.ts';
import { readJudgements } from '../rounds/stored-round.ts';
import { askedSets, readValues } from '../tables/continuous-rows.ts';
import { candidateNumbers } from '../tables/risk-tables.ts';

type RowRisk = NamedRisk['rows'][number];

/** What is found of every combination of a run, and what the errors of means over some of them are from. */
interface RunRisks {
  readonly rows: readonly RowRisk[];
  readonly risk: AttributeRisk;
  readonly halvesStandFor: HalvesStandFor;
}

const noMean = <Name extends string>(name: Name) => withErrors(name, null, { se: null, simulationSe: null, releaseSe: null });

const NO_RECORDS: GroupRisk = {
  records: 0,
  ...noMean('truthRankedFirstShare'),
  ...noMean('rankMean'),
  ...noMean('probabilityMean'),
  probabilityMax: null,
  ...noMean('informationBitsMean'),
  gainBitsMean: null,
};

/** Figures of the rows at some places (from 0), weighted by their records. */
function groupRisk({ rows: all, risk, halvesStandFor }: RunRisks, places: readonly number[]): GroupRisk {
  const rows = places.map((place) => all[place]!);
  const records = rows.reduce((sum, { count }) => sum + count, 0);
  if (records === 0) return NO_RECORDS;
  const means = groupMeans(
    risk,
    places,
    all.map(({ count }) => count),
    halvesStandFor,
  );
  const withErrors = GROUP_FIGURES.flatMap((name): [string, number | null][] => [
    [name, means[name].mean],
    [`${name}Se`, means[name].se],
    [`${name}SimulationSe`, means[name].simulationSe],
    [`${name}ReleaseSe`, means[name].releaseSe],
  ]);
  return {
    ...NO_RECORDS,
    ...Object.fromEntries(withErrors),
    records,
    probabilityMax: rows.reduce((largest, { probability }) => Math.max(largest, probability), 0),
    gainBitsMean: rows.some(({ gainBits }) => gainBits === null)
      ? null
      : rows.reduce((sum, { count, gainBits }) => sum + count * gainBits!, 0) / records,
  };
}

/**
 * The attribute risk of every combination of an assessed run whose datasets are fully synthetic, under the scenario that a summary is of.
 */
async function readRisks(store: Store, runId: string, { scenario, gainBitsMean }: AttributeRiskSummary): Promise<RunRisks> {
  const whole = await readRunModel(store, runId);
  const context = contextOfScenario(whole, scenarioNumber(whole.plan, scenario));
  const { scenario: own, table, space, numbers } = context;
  const { round } = (await readJudgements(store, runId)).at(-1)!;
  const risk = await readRisk(store, own, round);
  const candidates = candidateNumbers(context);
  const { count: sets, counted } = askedSets(context);
  const values = gainBitsMean !== null ? await readValues(store, context, round) : null;
  const gainAt = VALUE_COLUMNS.indexOf('gainBits');
  const gainOf = (columns: Float64Array, row: number) =>
    counted.reduce((sum, s) => sum + columns[(row * sets + s) * VALUE_COLUMNS.length + gainAt]!, 0);
  const rows = Array.from(table.combinations.counts, (count, row) => ({
    combination: (numbers?.[row] ?? row) + 1,
    count,
    candidates: candidates?.[row] ?? space.perCombination,
    rank: risk.rank[row]!,
    probability: risk.probability[row]!,
    probabilitySe: risk.probabilitySe[row]!,
    informationBits: risk.informationBits[row]!,
    gainBits: values && gainOf(values.columns, row),
  }));
  return { rows, risk, halvesStandFor: methodOf(whole.plan.config, own).halves };
}

/**
 * What an assessed run says of some combinations of its table (numbers from 1), and of all others.
 *
 * @param risk the run's own summary under one of its scenarios
 */
export async function namedRisk(store: Store, runId: string, risk: RankedRisk, combinations: readonly number[]): Promise<NamedRisk> {
  const found = await readRisks(store, runId, risk);
  const { rows } = found;
  const named = new Set(combinations);
  const isNamed = (place: number) => named.has(rows[place]!.combination);
  const places = [...rows.keys()];
  const own = places.filter(isNamed);
  const withError = (mean: number, standardError: number | null) => ({ mean, standardError });
  return {
    runId,
    file: {
      truthRankedFirstShare: withError(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe),
      probability: withError(risk.probabilityMean, risk.probabilityMeanSe),
      informationBits: withError(risk.informationBitsMean, risk.informationBitsMeanSe),
      gainBits: risk.gainBitsMean === null ? null : withError(risk.gainBitsMean, risk.gainBitsMeanSe),
      membership: risk.membership && {
        auc: withError(risk.membership.auc, risk.membership.aucSe),
        foundAt1Percent: withError(risk.membership.foundAt1Percent, risk.membership.foundAt1PercentSe),
      },
    },
    named: groupRisk(found, own),
    others: groupRisk(
      found,
      places.filter((place) => !isNamed(place)),
    ),
    rows: own.map((place) => rows[place]!),
  };
}
