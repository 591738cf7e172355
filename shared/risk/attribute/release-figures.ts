import { type AttributeRisk, WITHOUT_FIGURES } from './attribute-risk.ts';
import { type Columns, recordsOf, weightedMedian, weightedQuantile } from './attribute-summary.ts';
import { betweenDatasets } from './release-error.ts';

/** Figures of a file that another release would change: standard errors over releases, null where nothing tells. */
export type ReleaseErrors = Readonly<
  Record<
    'truthRankedFirstShare' | 'probabilityMean' | 'informationBitsMean' | 'privacyLossMedian' | 'privacyLoss99' | 'privacyLossMax',
    number | null
  >
>;

const UNKNOWN: ReleaseErrors = {
  truthRankedFirstShare: null,
  probabilityMean: null,
  informationBitsMean: null,
  privacyLossMedian: null,
  privacyLoss99: null,
  privacyLossMax: null,
};

/** Datasets that were left out in turn; 0 where that is not known. */
const datasetsLeftOut = ({ withoutDatasets, rank }: Pick<AttributeRisk, 'withoutDatasets' | 'rank'>) =>
  rank.length === 0 ? 0 : withoutDatasets.length / (rank.length * WITHOUT_FIGURES.length);

/** A figure of every row without a dataset (from 0). */
function without({ withoutDatasets, rank }: AttributeRisk, dataset: number, name: (typeof WITHOUT_FIGURES)[number]): Float64Array {
  const width = withoutDatasets.length / rank.length;
  const at = dataset * WITHOUT_FIGURES.length + WITHOUT_FIGURES.indexOf(name);
  return Float64Array.from({ length: rank.length }, (_, row) => withoutDatasets[row * width + at]!);
}

/**
 * The standard error over releases of a figure of some rows, from what it is without each dataset.
 *
 * @param figure from what the rows are without a dataset
 * @returns null where nothing is known of single datasets
 */
export function releaseError(
  risk: AttributeRisk,
  name: (typeof WITHOUT_FIGURES)[number],
  figure: (values: Float64Array) => number,
): number | null {
  const datasets = datasetsLeftOut(risk);
  if (datasets === 0) return null;
  const left = Array.from({ length: datasets }, (_, dataset) => figure(without(risk, dataset, name)));
  // Only what datasets differ by counts, whatever they are held against.
  return Math.sqrt(betweenDatasets(left[0]!, left));
}

/**
 * Standard errors over releases of the figures of a file.
 *
 * @param without `WITHOUT_FIGURES` of every row, of one dataset that is left out after the other
 * @param counts records of every row
 */
export async function releaseErrors(without: Columns, counts: ArrayLike<number>): Promise<ReleaseErrors> {
  const records = recordsOf(counts);
  const meanOf = (of: (value: number) => number) => (values: Float64Array) =>
    values.reduce((sum, value, row) => sum + counts[row]! * of(value), 0) / records;
  const itself = (value: number) => value;
  const figures: Record<(typeof WITHOUT_FIGURES)[number], Partial<Record<keyof ReleaseErrors, (values: Float64Array) => number>>> = {
    rank: { truthRankedFirstShare: meanOf((rank) => (rank === 1 ? 1 : 0)) },
    probability: { probabilityMean: meanOf(itself) },
    informationBits: { informationBitsMean: meanOf(itself) },
    loss: {
      privacyLossMedian: (losses) => weightedMedian(losses, counts),
      privacyLoss99: (losses) => weightedQuantile(losses, counts, 0.99),
      privacyLossMax: (losses) => losses.reduce((most, loss) => Math.max(most, loss), 0),
    },
  };
  const left = new Map<string, number[]>();
  let place = 0;
  for await (const column of without) {
    const own = figures[WITHOUT_FIGURES[place++ % WITHOUT_FIGURES.length]!];
    for (const [name, figure] of Object.entries(own)) left.set(name, [...(left.get(name) ?? []), figure(column)]);
  }
  if (place === 0) return UNKNOWN;
  const errors = Array.from(left, ([name, values]) => [name, Math.sqrt(betweenDatasets(values[0]!, values))]);
  return Object.fromEntries(errors) as ReleaseErrors;
}
