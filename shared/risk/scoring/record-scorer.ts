import { CombinationIndex } from '../../table/combination-index.ts';
import type { CandidateSpace } from '../intruder/candidate-space.ts';
import { createRatioScorer } from './likelihood-ratio.ts';
import type { AveragingScorer, RatioScorer } from './ratio-scorer.ts';

/**
 * A scorer for records of which several may be alike: distinct rows are scored once, and give their ratios to all of
 * their records. The ratios are those of `createRatioScorer`, to the last bit.
 *
 * @param codes records x columns
 * @param variableOfColumn the variable of each column, as `createRatioScorer` takes it
 */
export function createRecordScorer(space: CandidateSpace, codes: Uint16Array, variableOfColumn: readonly number[]): AveragingScorer {
  const columns = variableOfColumn.length;
  const index = new CombinationIndex(columns);
  const rowOfRecord = Uint32Array.from({ length: codes.length / columns }, (_, i) => index.add(codes, i * columns, 1));
  const { codes: rows, count } = index.combinations();
  const scorer = createRatioScorer(space, rows, variableOfColumn);
  const candidates = space.perCombination;
  const give = (ofRows: Float64Array, ofRecords: Float64Array) => {
    for (const [record, row] of rowOfRecord.entries()) {
      ofRecords.set(ofRows.subarray(row * candidates, (row + 1) * candidates), record * candidates);
    }
    return ofRecords;
  };
  /** Lets `score` give the log weights of rows, `draws` x rows, and gives them to the records. */
  const withWeights = <Result>(draws: number, ofRecords: Float64Array | undefined, score: (ofRows?: Float64Array) => Result): Result => {
    if (ofRecords === undefined) return score();
    const ofRows = new Float64Array(draws * count);
    const result = score(ofRows);
    for (let draw = 0; draw < draws; draw++) {
      for (const [record, row] of rowOfRecord.entries()) {
        ofRecords[draw * rowOfRecord.length + record] = ofRows[draw * count + row]!;
      }
    }
    return result;
  };
  const ratiosOfRows = new Float64Array(count * candidates);
  return Object.assign(
    (...[weights, probabilities, ratios, logWeights, allocation]: Parameters<RatioScorer>) => {
      if (allocation) throw new RangeError('phi is integrated out by combination, not by record');
      withWeights(1, logWeights, (ofRows) => scorer(weights, probabilities, ratiosOfRows, ofRows));
      give(ratiosOfRows, ratios);
    },
    {
      means: (...[draws, half, logWeights]: Parameters<AveragingScorer['means']>) => {
        if (draws.allocation) throw new RangeError('phi is integrated out by combination, not by record');
        const { mean, meanSquare, firstHalf } = withWeights(draws.draws, logWeights, (ofRows) => scorer.means(draws, half, ofRows));
        const length = rowOfRecord.length * candidates;
        return {
          mean: give(mean, new Float64Array(length)),
          meanSquare: give(meanSquare, new Float64Array(length)),
          firstHalf: firstHalf && give(firstHalf, new Float64Array(length)),
        };
      },
    },
  );
}
