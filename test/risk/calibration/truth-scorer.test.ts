import { expect, it } from 'vitest';
import type { Candidates } from '../../../shared/contracts/candidates.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { createTruthScorer, drawTargets } from '../../../shared/risk/calibration/calibration-targets.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { naiveLogDensity, randomCodes, randomState } from '../../model/random-state.ts';

it.each<Candidates>(['one-change', { unknown: ['v1', 'v2'] }])(
  'createTruthScorer() gives f(x | Theta) / f(truth | Theta) for x around the centre, with candidates %j',
  (candidates) => {
    const sizes = [3, 2, 5, 4];
    const random = new RandomStream(9, 'truths');
    const space = candidateSpace(
      candidates,
      sizes.map((_, k) => `v${k}`),
      sizes,
    );
    const altered = drawTargets(randomCodes(random, sizes, 30), space, 12, random);
    const state = randomState(random, sizes, 7, 1);
    const ratios = new Float64Array(12 * space.perCombination);
    createTruthScorer(space, altered)(state.weights, state.probabilities, ratios);
    for (const [t, record] of altered.records.entries()) {
      const truth = altered.codes.subarray(record * sizes.length, (record + 1) * sizes.length);
      const logTruth = naiveLogDensity(state, sizes, truth);
      for (let x = 0; x < space.perCombination; x++) {
        const row = altered.centres.slice(t * sizes.length, (t + 1) * sizes.length);
        for (const { variable, code } of candidateChanges(space, row.slice(), x)) row[variable] = code;
        const expected = Math.exp(naiveLogDensity(state, sizes, row) - logTruth);
        expect(ratios[t * space.perCombination + x]! / expected).toBeCloseTo(1, 10);
      }
    }
  },
);
