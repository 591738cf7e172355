import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { type RowsBeside, readBeside } from '../../artifacts/stored-beside.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import type { AttributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { weightedMedian, weightedQuantile } from '../../risk/attribute/attribute-summary.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';
import type { Store } from '../../storage/store.ts';

/** What is known beside the risk of all rows under a scenario; null where the model is of others than trees. */
export async function readBesideRows(
  store: Store,
  { plan, scenario, space }: ScenarioModel,
  round: number,
): Promise<RowsBeside | null> {
  if (factsOf(plan.config.model).method !== 'grown') return null;
  return readBeside(store, scenario, round, askedVariables(space).variables.length);
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/**
 * What the summary says of trees beside what it says of every model: what is proven, the same figures with the divisions
 * held as they are, and no errors.
 *
 * @param variables figures of single variables, to which the share that is proven is added
 */
export function treeFigures(
  { plan, space, table }: ScenarioModel,
  risk: AttributeRisk,
  beside: RowsBeside,
  {
    gainBitsMean,
    gainBitsMeanSe,
    variables,
  }: Pick<AttributeRiskSummary, 'gainBitsMean' | 'gainBitsMeanSe' | 'variables'>,
): Partial<AttributeRiskSummary> {
  const { records } = plan.table;
  const { variables: asked, counted } = askedVariables(space);
  const single = [...asked.keys()].filter((s) => asked[s]!.length === 1);
  /** The mean over records of the sum of a figure over some value sets. */
  const mean = (figure: Float64Array, sets: readonly number[]) =>
    sets.reduce(
      (sum, s) => sum + sumOf(figure.filter((_, place) => place % asked.length === s)) / records,
      0,
    );
  const { values } = beside;
  const gainFixed = mean(values.gainBitsFixed, counted);
  const provenRecords = sumOf(beside.proven);
  const banded = Object.entries(plan.config.variables).flatMap(([name, { candidates }]) =>
    candidates === undefined ? [] : [name],
  );
  const setOf = (name: string) =>
    asked.findIndex((own) => own.length === 1 && table.schema.variables[own[0]!]!.name === name);
  return {
    ...unsimulated(risk, records),
    provenRecords,
    provenShare: provenRecords / records,
    // Known where the likelihood of all trees is kept by dataset.
    ...(gainBitsMeanSe === null && plan.datasets.count > 1
      ? { gainBitsSeReason: 'what each dataset tells by itself is not known of all synthesized variables' }
      : {}),
    ...(banded.length > 0 ? { bandedVariables: banded } : {}),
    variables: variables.map((own) => ({
      ...own,
      provenShare: mean(values.proven, [setOf(own.variable)]),
    })),
    ...(plan.config.attributeRisk.estimator === 'exact'
      ? {
          fixedStructure: {
            probabilityMean: sumOf(beside.probabilityFixed) / records,
            firstGuessRightAfter: single.length === 0 ? 0 : mean(values.rightFixed, single) / single.length,
            gainBitsMean: gainFixed,
            gainBitsMissedShare:
              gainBitsMean !== null && gainBitsMean > 0 ? 1 - gainFixed / gainBitsMean : null,
            provenShare: sumOf(beside.provenFixed) / records,
          },
        }
      : {}),
  };
}

/** What is said of errors, of which there are none, and of the privacy loss, which may have no bound. */
function unsimulated({ privacyLoss }: AttributeRisk, records: number): Partial<AttributeRiskSummary> {
  const counts = new Uint8Array(records).fill(1);
  const ofLoss = (loss: number) => (loss === Infinity ? null : loss);
  const largest = ofLoss(privacyLoss.reduce((most, loss) => Math.max(most, loss), 0));
  const median = ofLoss(weightedMedian(privacyLoss, counts));
  const of99 = ofLoss(weightedQuantile(privacyLoss, counts, 0.99));
  const error = (loss: number | null) => (loss === null ? null : 0);
  const reason = 'the risk is exact: it has no Monte Carlo error';
  return {
    truthRankedFirstShareSe: 0,
    probabilityMeanSe: 0,
    informationBitsMeanSe: 0,
    effectiveDrawsMin: null,
    effectiveDrawsReason: reason,
    paretoKReason: reason,
    ...{ privacyLossMedian: median, privacyLoss99: of99, privacyLossMax: largest },
    privacyLossMedianSe: error(median),
    privacyLoss99Se: error(of99),
    privacyLossMaxSe: error(largest),
    ...(largest === null
      ? { privacyLossReason: 'some candidates could not have led to the release, so that it has no bound' }
      : {}),
  };
}
