import { encodeJson } from '../../artifacts/stored-json.ts';
import { listed, tableCsv } from '../../artifacts/write-table.ts';
import { int32, maybeDouble, type ResultTable, text } from '../../contracts/column.ts';
import type { Remedies, RemedyRisk } from '../../contracts/results/remedies.ts';
import { renderRemedies } from '../../report/render-remedies.ts';
import type { Store } from '../../storage/store.ts';

/** `remedies.csv`. */
export const REMEDIES: ResultTable<RemedyRisk> = {
  file: 'remedies',
  row: 'a remedy, the run itself first',
  columns: {
    remedy: text('Name of its folder; empty for the run itself.', ({ name }) => name),
    setting: text('What is different.', ({ setting }) => setting),
    datasets: int32('Datasets.', ({ datasets }) => datasets),
    chains: int32('Base chains.', ({ chains }) => chains),
    paired_chains: int32('Pairs of chains of each dataset.', ({ pairedChains }) => pairedChains),
    combinations: int32('Combinations of the fitted table.', ({ combinations }) => combinations),
    candidates_max: int32('Candidates of a record at most.', ({ candidatesMax }) => candidatesMax),
    truth_ranked_first_share: maybeDouble(
      'Share of records whose truth is the first guess.',
      ({ risk }) => risk.file.truthRankedFirstShare.mean,
    ),
    truth_ranked_first_share_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.truthRankedFirstShare.standardError),
    probability_mean: maybeDouble('Mean probability of the truth.', ({ risk }) => risk.file.probability.mean),
    probability_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.probability.standardError),
    probability_max: maybeDouble('Largest.', ({ probabilityMax }) => probabilityMax),
    information_bits_mean: maybeDouble('Mean shift of belief.', ({ risk }) => risk.file.informationBits.mean),
    information_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.informationBits.standardError),
    information_bits_max: maybeDouble('Largest.', ({ informationBitsMax }) => informationBitsMax),
    gain_bits_mean: maybeDouble('Mean gain at the truth.', ({ risk }) => risk.file.gainBits?.mean ?? null),
    gain_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.gainBits?.standardError ?? null),
    gain_bits_change: maybeDouble('The same less that of the run itself.', ({ gainBitsChange }) => gainBitsChange?.mean ?? null),
    gain_bits_change_se: maybeDouble('Its standard error.', ({ gainBitsChange }) => gainBitsChange?.standardError ?? null),
    named_records: int32('Records of the named combinations.', ({ risk }) => risk.named.records),
    named_rank_mean: maybeDouble('Their mean rank.', ({ risk }) => risk.named.rankMean),
    named_rank_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.rankMeanSe),
    named_probability_mean: maybeDouble('Their mean probability of the truth.', ({ risk }) => risk.named.probabilityMean),
    named_probability_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.probabilityMeanSe),
    named_probability_max: maybeDouble('Their largest.', ({ risk }) => risk.named.probabilityMax),
    named_information_bits_mean: maybeDouble('Their mean shift of belief.', ({ risk }) => risk.named.informationBitsMean),
    named_information_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.informationBitsMeanSe),
    named_gain_bits_mean: maybeDouble('Their mean gain at the truth.', ({ risk }) => risk.named.gainBitsMean),
  },
};

/** Stores the remedies of a run: `remedies.json`, `.csv` and `.html`. */
export async function storeRemedies(store: Store, found: Remedies): Promise<void> {
  await store.put('remedies.json', encodeJson(found));
  await store.put('remedies.csv', tableCsv(REMEDIES, listed(found.remedies)));
  await store.put('remedies.html', new TextEncoder().encode(await renderRemedies(found)));
}
