import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { runKeys } from '../contracts/keys.ts';
import { emptyFigures, RISK_FIGURES, type RiskFigures } from '../contracts/results/attribute-risk-table.ts';
import type { Scenario } from '../contracts/run/scenarios.ts';
import { type AttributeRisk, RECORD_SUMS, WITHOUT_FIGURES } from '../risk/attribute/attribute-risk.ts';
import { HALF_SPLITS } from '../risk/attribute/chain-evaluations.ts';
import { LIKELIEST_NUMBERS } from '../risk/attribute/likeliest-candidates.ts';
import { gainEvaluations } from '../risk/attribute/value-risk.ts';
import { readAhead } from '../storage/read-ahead.ts';
import type { Store } from '../storage/store.ts';

/**
 * Numbers that a part has of a row: its figures, what they are without each of so many datasets, what both halves of every split
 * say of four of them, its likeliest candidates, and its gain in some evaluations.
 */
export const partNumbers = (datasets: number): number =>
  RISK_FIGURES.length + datasets * WITHOUT_FIGURES.length + 4 * 2 * HALF_SPLITS + LIKELIEST_NUMBERS + gainEvaluations(datasets);

/** Batches that are read together: those of a scenario. */
export type Assessed = Pick<Scenario, 'runId' | 'batches'>;

/** A batch in a round of a run. */
export interface PartReference {
  readonly runId: string;
  readonly round: number;
  readonly batch: number;
}

const partKeys = ({ runId, round, batch }: PartReference) => runKeys(runId).part(round, batch);

/** True when a batch's result is there, whole. */
export async function hasPart(store: Store, part: PartReference): Promise<boolean> {
  return (await store.head(partKeys(part).columns)) !== null;
}

/** One NaN for all: those that are computed have other bits on other processors. */
const oneNaN = (value: number) => (Number.isNaN(value) ? NaN : value);

/** Stores the result of a batch. */
export async function writePart(store: Store, part: PartReference, risk: AttributeRisk): Promise<void> {
  const keys = partKeys(part);
  const rows = risk.rank.length;
  const without = risk.withoutDatasets.length / Math.max(1, rows);
  const width = RISK_FIGURES.length + without;
  const columns = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    for (const [c, column] of RISK_FIGURES.entries()) columns[row * width + c] = oneNaN(risk[column][row]!);
    columns.set(risk.withoutDatasets.subarray(row * without, (row + 1) * without).map(oneNaN), row * width + RISK_FIGURES.length);
  }
  const once = { ifAbsent: true };
  const halves = [rows, HALF_SPLITS, 2];
  await store.put(keys.halfRanks, encodeCheckedNpy(risk.halfRanks, halves), once);
  await store.put(keys.halfProbabilities, encodeCheckedNpy(risk.halfProbabilities, halves), once);
  await store.put(keys.halfInformationBits, encodeCheckedNpy(risk.halfInformationBits.map(oneNaN), halves), once);
  await store.put(keys.halfLosses, encodeCheckedNpy(risk.halfLosses.map(oneNaN), halves), once);
  await store.put(
    keys.recordSums,
    encodeCheckedNpy(risk.recordSums, [risk.recordSums.length / RECORD_SUMS.length, RECORD_SUMS.length]),
    once,
  );
  await store.put(keys.columns, encodeCheckedNpy(columns, [rows, width]), once);
}

/** Stores what datasets tell by themselves in a batch; it comes before the part. */
export async function writeDatasetSums(store: Store, part: PartReference, sums: Float64Array): Promise<void> {
  await store.put(partKeys(part).datasetSums, encodeCheckedNpy(sums, [sums.length]), { ifAbsent: true });
}

/** The sums that {@link writeDatasetSums} wrote, over all batches of a round. */
export async function readDatasetSums(store: Store, assessed: Assessed, round: number): Promise<Float64Array> {
  let sums: Float64Array | undefined;
  for await (const { data } of readArrays(store, assessed, round, 'datasetSums')) {
    sums = data.map((sum, i) => sum + (sums?.[i] ?? 0));
  }
  return sums!;
}

/** Rows of a run's attribute risk: combinations, or records of partially synthetic data. */
const rowCount = ({ batches }: Assessed) => batches.at(-1)!.to;

/** One array of each batch of a round, with the rows that it is of, in their order. */
function readArrays(store: Store, { runId, batches }: Assessed, round: number, name: keyof ReturnType<typeof partKeys>) {
  return readAhead(
    batches,
    async ({ batch, from, to }) => {
      const key = partKeys({ runId, round, batch })[name];
      return { from, to, data: decodeCheckedNpy(await store.get(key), key).data as Float64Array };
    },
    PARTS_AT_ONCE,
  );
}

/** The figures of all rows, from all batches of a round. */
export async function readFigures(store: Store, assessed: Assessed, round: number): Promise<RiskFigures> {
  return (await readColumns(store, assessed, round)).figures;
}

/** The figures of all rows, and what they are without each dataset. */
async function readColumns(store: Store, assessed: Assessed, round: number) {
  const rows = rowCount(assessed);
  const figures = emptyFigures(rows);
  let withoutDatasets = new Float64Array(0);
  for await (const { from, to, data } of readArrays(store, assessed, round, 'columns')) {
    const width = data.length / (to - from);
    const without = Math.max(0, width - RISK_FIGURES.length);
    if (withoutDatasets.length === 0) withoutDatasets = new Float64Array(rows * without);
    for (let row = from; row < to; row++) {
      const own = data.subarray((row - from) * width, (row - from + 1) * width);
      for (const [c, name] of RISK_FIGURES.entries()) figures[name][row] = own[c]!;
      withoutDatasets.set(own.subarray(RISK_FIGURES.length), row * without);
    }
  }
  return { figures, withoutDatasets };
}

/** The result of a round for all rows. */
export async function readRisk(store: Store, assessed: Assessed, round: number): Promise<AttributeRisk> {
  let recordSums = new Float64Array(0);
  for await (const { data } of readArrays(store, assessed, round, 'recordSums')) {
    recordSums = recordSums.length === 0 ? data.slice() : recordSums.map((sum, i) => sum + data[i]!);
  }
  const { figures, withoutDatasets } = await readColumns(store, assessed, round);
  return {
    ...figures,
    withoutDatasets,
    halfRanks: await readHalves(store, assessed, round, 'halfRanks'),
    halfProbabilities: await readHalves(store, assessed, round, 'halfProbabilities'),
    halfInformationBits: await readHalves(store, assessed, round, 'halfInformationBits'),
    halfLosses: await readHalves(store, assessed, round, 'halfLosses'),
    recordSums,
  };
}

/**
 * Rank or probability of the truth, information or privacy loss, from each half of each split, for all rows: rows x
 * (2 HALF_SPLITS).
 */
export async function readHalves(
  store: Store,
  assessed: Assessed,
  round: number,
  figure: 'halfRanks' | 'halfProbabilities' | 'halfInformationBits' | 'halfLosses',
): Promise<Float64Array> {
  const width = 2 * HALF_SPLITS;
  const halves = new Float64Array(rowCount(assessed) * width);
  for await (const { from, data } of readArrays(store, assessed, round, figure)) halves.set(data, from * width);
  return halves;
}
