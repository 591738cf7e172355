import { encodeJson } from '../../artifacts/stored-json.ts';
import type { Remedies, RemedyRisk } from '../../contracts/results/remedies.ts';
import { renderRemedies } from '../../report/render-remedies.ts';
import type { Store } from '../../storage/store.ts';
import { encodeCsv } from '../../table/files/write-csv.ts';

/** The columns of remedies.csv, each with its value of a remedy. */
export const REMEDY_COLUMNS: Readonly<Record<string, (remedy: RemedyRisk) => string | number | null>> = {
  remedy: ({ name }) => name,
  setting: ({ setting }) => setting,
  datasets: ({ datasets }) => datasets,
  chains: ({ chains }) => chains,
  paired_chains: ({ pairedChains }) => pairedChains,
  combinations: ({ combinations }) => combinations,
  candidates_max: ({ candidatesMax }) => candidatesMax,
  truth_ranked_first_share: ({ risk }) => risk.file.truthRankedFirstShare.mean,
  truth_ranked_first_share_se: ({ risk }) => risk.file.truthRankedFirstShare.standardError,
  probability_mean: ({ risk }) => risk.file.probability.mean,
  probability_mean_se: ({ risk }) => risk.file.probability.standardError,
  probability_max: ({ probabilityMax }) => probabilityMax,
  information_bits_mean: ({ risk }) => risk.file.informationBits.mean,
  information_bits_mean_se: ({ risk }) => risk.file.informationBits.standardError,
  information_bits_max: ({ informationBitsMax }) => informationBitsMax,
  gain_bits_mean: ({ risk }) => risk.file.gainBits?.mean ?? null,
  gain_bits_mean_se: ({ risk }) => risk.file.gainBits?.standardError ?? null,
  gain_bits_change: ({ gainBitsChange }) => gainBitsChange?.mean ?? null,
  gain_bits_change_se: ({ gainBitsChange }) => gainBitsChange?.standardError ?? null,
  named_records: ({ risk }) => risk.named.records,
  named_rank_mean: ({ risk }) => risk.named.rankMean,
  named_rank_mean_se: ({ risk }) => risk.named.rankMeanSe,
  named_probability_mean: ({ risk }) => risk.named.probabilityMean,
  named_probability_mean_se: ({ risk }) => risk.named.probabilityMeanSe,
  named_probability_max: ({ risk }) => risk.named.probabilityMax,
  named_information_bits_mean: ({ risk }) => risk.named.informationBitsMean,
  named_information_bits_mean_se: ({ risk }) => risk.named.informationBitsMeanSe,
  named_gain_bits_mean: ({ risk }) => risk.named.gainBitsMean,
};

/** Stores the remedies of a run: `remedies.json`, `.csv` and `.html`. */
export async function storeRemedies(store: Store, found: Remedies): Promise<void> {
  const columns = Object.values(REMEDY_COLUMNS);
  const rows = found.remedies.map((remedy) => columns.map((value) => value(remedy)));
  await store.put('remedies.json', encodeJson(found));
  await store.put('remedies.csv', encodeCsv(Object.keys(REMEDY_COLUMNS), rows));
  await store.put('remedies.html', new TextEncoder().encode(renderRemedies(found)));
}
