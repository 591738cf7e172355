import { readRunModel } from '../../artifacts/run-context.ts';
import { readJson } from '../../artifacts/stored-json.ts';
import { readFigures } from '../../artifacts/stored-part.ts';
import { readValueParts } from '../../artifacts/stored-value-part.ts';
import { runKeys } from '../../contracts/keys.ts';
import {
  type GroupRisk,
  type LeftOut,
  type NamedRisk,
  namedRiskSchema,
} from '../../contracts/results/left-out.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { VALUE_COLUMNS } from '../../risk/attribute/value-risk.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';
import type { Store } from '../../storage/store.ts';
import { readJudgements } from '../rounds/stored-judgement.ts';
import { candidateNumbers } from '../tables/attribute-risk-table.ts';

type RowRisk = NamedRisk['rows'][number];

/** Figures of some rows, weighted by their records. */
function groupRisk(rows: readonly RowRisk[]): GroupRisk {
  const records = rows.reduce((sum, { count }) => sum + count, 0);
  if (records === 0) {
    return {
      records,
      truthRankedFirstShare: null,
      rankMean: null,
      probabilityMean: null,
      probabilityMax: null,
      informationBitsMean: null,
      gainBitsMean: null,
    };
  }
  const mean = (value: (row: RowRisk) => number) =>
    rows.reduce((sum, row) => sum + row.count * value(row), 0) / records;
  return {
    records,
    truthRankedFirstShare: mean(({ rank }) => (rank === 1 ? 1 : 0)),
    rankMean: mean(({ rank }) => rank),
    probabilityMean: mean(({ probability }) => probability),
    probabilityMax: rows.reduce((largest, { probability }) => Math.max(largest, probability), 0),
    informationBitsMean: mean(({ informationBits }) => informationBits),
    gainBitsMean: rows.some(({ gainBits }) => gainBits === null) ? null : mean(({ gainBits }) => gainBits!),
  };
}

/** The attribute risk of every combination of an assessed run whose datasets are fully synthetic. */
async function rowRisks(store: Store, runId: string, hasGain: boolean): Promise<RowRisk[]> {
  const context = await readRunModel(store, runId);
  const { plan, table, space } = context;
  const { round } = (await readJudgements(store, runId)).at(-1)!;
  const figures = await readFigures(store, plan, round);
  const candidates = candidateNumbers(context, null);
  const { variables, counted } = askedVariables(space);
  const sets = variables.length;
  const values = hasGain ? await readValueParts(store, plan, round, sets) : null;
  const gainAt = VALUE_COLUMNS.indexOf('gainBits');
  const gainOf = (columns: Float64Array, row: number) =>
    counted.reduce((sum, s) => sum + columns[(row * sets + s) * VALUE_COLUMNS.length + gainAt]!, 0);
  return Array.from(table.combinations.counts, (count, row) => ({
    combination: row + 1,
    count,
    candidates: candidates?.[row] ?? space.perCombination,
    rank: figures.rank[row]!,
    probability: figures.probability[row]!,
    probabilitySe: figures.probabilitySe[row]!,
    informationBits: figures.informationBits[row]!,
    gainBits: values && gainOf(values.columns, row),
  }));
}

/**
 * What an assessed run says of some combinations of its table (numbers from 1), and of all others. Whether they are left
 * out of it makes no difference.
 *
 * @param risk the run's own summary
 */
export async function namedRisk(
  store: Store,
  runId: string,
  risk: AttributeRiskSummary,
  combinations: readonly number[],
): Promise<NamedRisk> {
  const rows = await rowRisks(store, runId, risk.gainBitsMean !== null);
  const named = new Set(combinations);
  const isNamed = ({ combination }: RowRisk) => named.has(combination);
  const own = rows.filter(isNamed);
  const withError = (mean: number, standardError: number | null) => ({ mean, standardError });
  return {
    runId,
    file: {
      truthRankedFirstShare: withError(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe),
      probability: withError(risk.probabilityMean, risk.probabilityMeanSe),
      informationBits: withError(risk.informationBitsMean, risk.informationBitsMeanSe),
      gainBits: risk.gainBitsMean === null ? null : withError(risk.gainBitsMean, risk.gainBitsMeanSe),
    },
    named: groupRisk(own),
    others: groupRisk(rows.filter((row) => !isNamed(row))),
    rows: own,
  };
}

/**
 * What leaving combinations out of a run did to risk; null where it leaves out none. The run before is in the store where
 * somebody has named it.
 */
export async function compareLeftOut(
  store: Store,
  runId: string,
  risk: AttributeRiskSummary,
  combinations: readonly number[] | undefined,
): Promise<LeftOut | null> {
  if (combinations === undefined) return null;
  const { beforeLeavingOut } = runKeys(runId).confidential;
  const isCompared = (await store.head(beforeLeavingOut)) !== null;
  return {
    combinations: [...combinations],
    after: await namedRisk(store, runId, risk, combinations),
    before: isCompared ? await readJson(store, beforeLeavingOut, namedRiskSchema) : null,
    ...(isCompared ? {} : { beforeReason: 'no run before was named to compare with (--compare)' }),
  };
}
