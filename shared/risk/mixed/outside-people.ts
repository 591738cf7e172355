import type { MixedRows } from '../../model/mixed/mixed-rows.ts';
import { candidateSpace } from '../intruder/candidate-space.ts';
import { logMeans } from '../membership/membership-terms.ts';
import type { OtherPeople } from '../membership/other-people.ts';
import type { MixedModel } from './class-tables.ts';
import { createMixedScorer } from './mixed-scorer.ts';
import { mixedSpace } from './mixed-space.ts';

/** Nothing is guessed at: the record itself is the one candidate. */
const NO_GUESS = mixedSpace(candidateSpace('one-change', [], []), []);

/**
 * Scores people who are not in the table: the logarithm of the mean of f(y | Theta) of what is observed of each, a density on the unit
 * scale where no mass holds a value, as `createMixedScorer` has that of a record. Given the allocation of a draw phi, mu and sigma are
 * integrated out, from the records of the table.
 */
export function outsidePeople(model: MixedModel, rows: MixedRows): OtherPeople {
  const scorer = createMixedScorer(NO_GUESS, model, rows, [], 'outside');
  const { rows: people } = rows;
  return {
    people,
    score(draws, half) {
      const logs = new Float64Array(draws.length * people);
      const ratios = new Float64Array(people);
      for (const [d, { weights, probabilities, allocation }] of draws.entries()) {
        scorer(weights, probabilities, ratios, logs.subarray(d * people, (d + 1) * people), allocation);
      }
      // The logarithms are of the reciprocals.
      return logMeans(
        logs.map((value) => -value),
        people,
        half,
      );
    },
  };
}
