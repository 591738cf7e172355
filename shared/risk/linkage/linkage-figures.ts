import type { LinkageResult, LinkageThreshold } from '../../contracts/results/linkage.ts';
import { clopperPearson } from '../../numeric/clopper-pearson.ts';
import { quantile } from '../../numeric/quantile.ts';
import { sortedOrder } from '../../numeric/sorted-order.ts';
import { type Links, NO_RECORD } from './link-records.ts';

/** What {@link linkageFigures} finds. */
export type LinkageFigures = Pick<
  LinkageResult,
  | ('records' | 'reidentified' | 'reidentifiedShare' | 'low' | 'high' | 'guessedShare' | 'linked' | 'uniqueLinks')
  | ('precision' | 'claimedPrecision' | 'ownRankMedian' | 'ownRankReason' | 'rocArea' | 'rocReason')
>;

/** Whether a row is re-identified: its one best link is to its own record. */
export function isReidentified({ best, ties }: Links, ownRecords: Int32Array, row: number): boolean {
  return ties[row] === 1 && best[row] !== NO_RECORD && best[row] === ownRecords[row];
}

/**
 * How many rows are re-identified, with exact intervals, and how right the intruder is about their links.
 *
 * @param ownRecords for each row its record in the intruder's file, from 0, or `NO_RECORD`
 * @param records of the intruder's file
 */
export function linkageFigures(links: Links, ownRecords: Int32Array, records: number): LinkageFigures {
  const rows = ownRecords.length;
  let [reidentified, linked, unique, claimed] = [0, 0, 0, 0];
  for (let row = 0; row < rows; row++) {
    if (links.best[row] !== NO_RECORD) linked++;
    if (links.ties[row] === 1) {
      unique++;
      claimed += links.probabilities[row]!;
    }
    if (isReidentified(links, ownRecords, row)) reidentified++;
  }
  const [low, high] = clopperPearson(reidentified, rows);
  const held = heldRecords(ownRecords);
  return {
    records: rows,
    reidentified,
    reidentifiedShare: reidentified / rows,
    low,
    high,
    guessedShare: held / (rows * records),
    linked,
    uniqueLinks: unique,
    precision: precisionOf(reidentified, unique),
    claimedPrecision: unique === 0 ? null : Math.min(1, claimed / unique),
    ...ownRankMedian(links),
    ...rocArea(linkageThresholds(links, ownRecords)),
  };
}

/** Rows whose own record the intruder's file holds. */
const heldRecords = (ownRecords: Int32Array) => ownRecords.reduce((sum, record) => sum + (record === NO_RECORD ? 0 : 1), 0);

function precisionOf(correct: number, unique: number): LinkageFigures['precision'] {
  if (unique === 0) return { share: null, low: null, high: null, reason: 'no row has one best link' };
  const [low, high] = clopperPearson(correct, unique);
  return { share: correct / unique, low, high };
}

function ownRankMedian({ ownRanks }: Links): Pick<LinkageFigures, 'ownRankMedian' | 'ownRankReason'> {
  const ranks = ownRanks.filter((rank) => !Number.isNaN(rank)).sort();
  if (ranks.length > 0) return { ownRankMedian: quantile(ranks, 0.5) };
  return { ownRankMedian: null, ownRankReason: 'no row has its own record among the candidates' };
}

/** Precision, recall and the ROC curve of the unique links at every probability that one of them has, the largest first. */
export function linkageThresholds(links: Links, ownRecords: Int32Array): LinkageThreshold[] {
  const rows = Uint32Array.from([...ownRecords.keys()].filter((row) => links.ties[row] === 1));
  const probabilities = Float64Array.from(rows, (row) => links.probabilities[row]!);
  const order = sortedOrder(probabilities).reverse();
  const isCorrect = (place: number) => isReidentified(links, ownRecords, rows[place]!);
  const correctInAll = order.reduce((sum, place) => sum + (isCorrect(place) ? 1 : 0), 0);
  const wrongInAll = order.length - correctInAll;
  const held = heldRecords(ownRecords);
  const thresholds: LinkageThreshold[] = [];
  let correct = 0;
  for (const [index, place] of order.entries()) {
    if (isCorrect(place)) correct++;
    const probability = probabilities[place]!;
    if (index + 1 < order.length && probabilities[order[index + 1]!] === probability) continue;
    const linkCount = index + 1;
    thresholds.push({
      probability: Math.min(1, probability),
      links: linkCount,
      correct,
      precision: correct / linkCount,
      recall: held === 0 ? null : correct / held,
      truePositiveRate: correctInAll === 0 ? null : correct / correctInAll,
      falsePositiveRate: wrongInAll === 0 ? null : (linkCount - correct) / wrongInAll,
    });
  }
  return thresholds;
}

/** Some of many thresholds, evenly among them, the first and the last included. */
export function thinnedThresholds(thresholds: readonly LinkageThreshold[], most: number): LinkageThreshold[] {
  if (thresholds.length <= most) return [...thresholds];
  return Array.from({ length: most }, (_, i) => thresholds[Math.round((i * (thresholds.length - 1)) / (most - 1))]!);
}

function rocArea(thresholds: readonly LinkageThreshold[]): Pick<LinkageFigures, 'rocArea' | 'rocReason'> {
  const last = thresholds.at(-1);
  if (last === undefined) return { rocArea: null, rocReason: 'no row has one best link' };
  if (last.correct === 0 || last.correct === last.links)
    return { rocArea: null, rocReason: `${last.correct === 0 ? 'no' : 'every'} unique link is right` };
  let area = 0;
  let [before, height] = [0, 0];
  for (const { truePositiveRate, falsePositiveRate } of thresholds) {
    area += ((falsePositiveRate! - before) * (truePositiveRate! + height)) / 2;
    [before, height] = [falsePositiveRate!, truePositiveRate!];
  }
  return { rocArea: Math.min(1, area) };
}
