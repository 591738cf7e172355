import { expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../../shared/risk/scoring/likelihood-ratio.ts';
import { createRecordScorer } from '../../../shared/risk/scoring/record-scorer.ts';
import { randomCodes, randomState } from '../../model/random-state.ts';

it('createRecordScorer() gives every record the bits of its row, however many records are alike', () => {
  const sizes = [2, 3, 2];
  const columns = [0, 1, 2, 1];
  const random = new RandomStream(14, 'records');
  const space = candidateSpace({ unknown: ['1', '2'] }, ['0', '1', '2'], sizes);
  const codes = randomCodes(
    random,
    columns.map((k) => sizes[k]!),
    100,
  );
  const length = 100 * space.perCombination;
  const ofRecords = createRecordScorer(space, codes, columns);
  const ofRows = createRatioScorer(space, codes, columns);
  const states = [randomState(random, sizes, 5), randomState(random, sizes, 5)];
  for (const { weights, probabilities } of states) {
    const ratios = [new Float64Array(length), new Float64Array(length)] as const;
    ofRecords(weights, probabilities, ratios[0]);
    ofRows(weights, probabilities, ratios[1]);
    expect(ratios[0]).toEqual(ratios[1]);
  }
  const draws = {
    draws: 2,
    classes: 5,
    categories: 7,
    weights: Float64Array.from(states.flatMap(({ weights }) => [...weights])),
    probabilities: Float64Array.from(states.flatMap(({ probabilities }) => [...probabilities])),
    concentration: new Float64Array(2),
    occupiedClasses: new Uint16Array(2),
    logLikelihood: new Float64Array(2),
  };
  const logWeights = [new Float64Array(200), new Float64Array(200)] as const;
  expect(ofRecords.means(draws, 1, logWeights[0])).toEqual(ofRows.means(draws, 1, logWeights[1]));
  expect(logWeights[0]).toEqual(logWeights[1]);
  expect(logWeights[0].every((value) => value > 0)).toBe(true);
});
