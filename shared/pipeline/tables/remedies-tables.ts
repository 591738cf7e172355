import { int32, maybeDouble, maybeInt32, type ResultTable, text } from '../../contracts/column.ts';
import type { RemedyRisk } from '../../contracts/results/remedies.ts';

/** `remedies.csv`. */
export const REMEDIES: ResultTable<RemedyRisk> = {
  file: 'remedies',
  row: 'a remedy, the run itself first',
  columns: {
    remedy: text('Its folder; empty: the run itself.', ({ name }) => name),
    setting: text('What is different.', ({ setting }) => setting),
    datasets: int32('Datasets.', ({ datasets }) => datasets),
    chains: int32('Base chains.', ({ chains }) => chains),
    paired_chains: int32('Pairs of chains of each dataset.', ({ pairedChains }) => pairedChains),
    combinations: int32('Combinations of the fitted table.', ({ combinations }) => combinations),
    candidates_max: int32('Most candidates of a record.', ({ candidatesMax }) => candidatesMax),
    truth_ranked_first_share: maybeDouble(
      'Share of records whose truth is ranked first.',
      ({ risk }) => risk.file.truthRankedFirstShare?.mean ?? null,
    ),
    truth_ranked_first_share_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.truthRankedFirstShare?.standardError ?? null),
    probability_mean: maybeDouble('Mean posterior probability of the truth.', ({ risk }) => risk.file.probability?.mean ?? null),
    probability_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.probability?.standardError ?? null),
    probability_max: maybeDouble('Largest.', ({ probabilityMax }) => probabilityMax),
    information_bits_mean: maybeDouble(
      'Mean divergence of posterior from prior, bits.',
      ({ risk }) => risk.file.informationBits?.mean ?? null,
    ),
    information_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.informationBits?.standardError ?? null),
    information_bits_max: maybeDouble('Largest.', ({ informationBitsMax }) => informationBitsMax),
    gain_bits_mean: maybeDouble(
      'Gain at the truth, bits: mean log2 of the true value’s probability after over before.',
      ({ risk }) => risk.file.gainBits?.mean ?? null,
    ),
    gain_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.gainBits?.standardError ?? null),
    gain_bits_change: maybeDouble('Gain less that of the run itself.', ({ gainBitsChange }) => gainBitsChange?.mean ?? null),
    gain_bits_change_se: maybeDouble('Its standard error.', ({ gainBitsChange }) => gainBitsChange?.standardError ?? null),
    membership_auc: maybeDouble('AUC of the optimal test.', ({ risk }) => risk.file.membership?.auc.mean ?? null),
    membership_auc_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.membership?.auc.standardError ?? null),
    membership_found_at_1_percent: maybeDouble(
      'Share of records found at 1 % false alarms.',
      ({ risk }) => risk.file.membership?.foundAt1Percent.mean ?? null,
    ),
    membership_found_at_1_percent_se: maybeDouble(
      'Its standard error.',
      ({ risk }) => risk.file.membership?.foundAt1Percent.standardError ?? null,
    ),
    named_records: int32('Records of the named combinations, or named records.', ({ risk }) => risk.named.records),
    named_rank_mean: maybeDouble('Their mean rank.', ({ risk }) => risk.named.rankMean),
    named_rank_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.rankMeanSe),
    named_probability_mean: maybeDouble('Their mean probability of the truth.', ({ risk }) => risk.named.probabilityMean),
    named_probability_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.probabilityMeanSe),
    named_probability_max: maybeDouble('Their largest.', ({ risk }) => risk.named.probabilityMax),
    named_information_bits_mean: maybeDouble('The same of the named ones.', ({ risk }) => risk.named.informationBitsMean),
    named_information_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.informationBitsMeanSe),
    named_gain_bits_mean: maybeDouble('Their mean gain at the truth.', ({ risk }) => risk.named.gainBitsMean),
  },
};

/** A continuous variable of a run, over all of its records, over those that were named, or of one of these. */
interface NumbersRow {
  readonly remedy: RemedyRisk;
  readonly of: 'file' | 'named' | 'record';
  readonly record: number | null;
  readonly records: number;
  readonly variable: string;
  readonly near: string | null;
  readonly before: number | null;
  readonly beforeSe: number | null;
  readonly after: number | null;
  readonly afterSe: number | null;
  readonly largest: number | null;
  readonly gain: number | null;
  readonly gainSe: number | null;
  readonly reason: string | null;
}

/** The rows of `remedies-continuous.csv`. */
export function numbersRows(remedy: RemedyRisk): NumbersRow[] {
  const { file, named, rows } = remedy.risk;
  return (file.continuousVariables ?? []).flatMap((whole, place): NumbersRow[] => {
    const { variable, near } = whole;
    const group = named.continuousVariables![place]!;
    const common = { remedy, variable, near, record: null, beforeSe: null, largest: null, gainSe: null };
    return [
      {
        ...common,
        of: 'file',
        records: whole.records,
        before: whole.withinBefore?.mean ?? null,
        beforeSe: whole.withinBefore?.standardError ?? null,
        after: whole.withinAfter?.mean ?? null,
        afterSe: whole.withinAfter?.standardError ?? null,
        gain: whole.gainBits?.mean ?? null,
        gainSe: whole.gainBits?.standardError ?? null,
        reason: whole.reason ?? null,
      },
      {
        ...common,
        of: 'named',
        records: group.records,
        before: group.withinBeforeMean,
        after: group.withinAfterMean,
        afterSe: group.withinAfterMeanSe,
        largest: group.withinAfterMax,
        gain: group.gainBitsMean,
        reason: group.reason ?? null,
      },
      ...rows.map(({ record, continuousVariables }): NumbersRow => {
        const { withinBefore, withinAfter, withinAfterSe, gainBits, reason } = continuousVariables![place]!;
        const figures = { before: withinBefore, after: withinAfter, afterSe: withinAfterSe, gain: gainBits };
        return { ...common, ...figures, of: 'record', record: record!, records: 1, reason: reason ?? null };
      }),
    ];
  });
}

/** `remedies-continuous.csv`. */
export const REMEDIES_CONTINUOUS: ResultTable<NumbersRow> = {
  file: 'remedies-continuous',
  row: 'a continuous variable of a run, the run itself first: over the file, over the named records, and of each of these',
  columns: {
    remedy: text('Its folder; empty: the run itself.', ({ remedy }) => remedy.name),
    setting: text('What is different.', ({ remedy }) => remedy.setting),
    of: text('`file`, `named` (those that were named) or `record` (one of these).', ({ of }) => of),
    record: maybeInt32('Number of that record, from 1.', ({ record }) => record),
    records: int32('Records with a value.', ({ records }) => records),
    variable: text('The variable.', ({ variable }) => variable),
    near: text('What counts as near, in words.', ({ near }) => near),
    within_before: maybeDouble('Mean probability near the true value without the release.', ({ before }) => before),
    within_before_se: maybeDouble('Its Monte Carlo standard error; of the file alone.', ({ beforeSe }) => beforeSe),
    within_after: maybeDouble('The same with the release.', ({ after }) => after),
    within_after_se: maybeDouble('Its standard error: of the file over releases, else of simulation.', ({ afterSe }) => afterSe),
    within_after_max: maybeDouble('Largest such probability of a named record.', ({ largest }) => largest),
    gain_bits: maybeDouble('Mean gain at the true values.', ({ gain }) => gain),
    gain_bits_se: maybeDouble('Its standard error over releases; of the file alone.', ({ gainSe }) => gainSe),
    reason: text('Why figures are missing.', ({ reason }) => reason),
  },
};
