import { columnFacts } from '../page/facts.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';

/** Columns of attribute-risk.csv with their meaning, in the order of the file. */
const COLUMNS = {
  record: 'Of partially synthetic data alone: number of the record, from 1; each has a row.',
  combination: 'Number of a distinct row of the table, from 1, in order of first appearance.',
  count: 'Records that have this combination of values; they share its risk.',
  '(variables)': 'The values of the combination, one column for each variable of the table.',
  candidates: 'How many values the intruder weighs up, the truth among them.',
  rank: 'Place of the truth among the candidates by probability; 1 is the first guess. Ties share their mean.',
  'rank_low, rank_high': '90 % interval of the rank, from resampling the chains of the simulation.',
  prior_probability: 'Probability that the intruder gives to the truth before seeing the release.',
  probability: 'Probability that the intruder gives to the truth after seeing the release.',
  probability_se: 'Standard error of that probability, from the simulation alone.',
  ratio_to_uniform: 'The probability times the number of candidates: 1 is random guessing, 2 is twice as probable.',
  information_bits:
    'How far the release moves the intruder’s probabilities from those before it, in bits. It counts every movement, also towards a wrong value.',
  prior_odds_to_first:
    'How many times more probable than the first guess the truth would have to be beforehand for the intruder to rank it first; 1 when it is first already.',
  'bayes_factor, bayes_factor_se':
    'How many times more probable the release is under the truth than under the other candidates, weighed by the prior on them; its standard error. Empty where no other candidate is possible, which makes the truth certain, or has a prior probability.',
  'privacy_loss, privacy_loss_se':
    'The farthest that the log-likelihood of a candidate is from that of the truth, in nats; its standard error. It is of this release and table alone, and no guarantee; where an epsilon is stated it is exact, and epsilon bounds it.',
  'first_guess_variable, first_guess_value':
    'The variable in which the intruder’s first guess differs from the truth, and the value guessed; empty when the first guess is the truth.',
  first_guess_probability: 'Probability of the first guess.',
  distinguishable: 'True when the rank interval is narrower than half of the candidates. Otherwise do not quote the rank.',
  effective_draws:
    'Effective number of draws (Kish) behind the noisiest expectation of this row. Draws of one chain resemble each other: the standard error allows for that, this number does not.',
  'pareto_k, heavy_tail':
    'How heavy the tail is of the weights behind this row (Pareto k, the heavier the larger). Where it is marked as heavy the risk may be further off than its standard error says.',
};

/** What each column says, and what none of them says. */
export function glossarySection(): Section {
  const body = html`
${columnFacts(COLUMNS)}
<h3>What the numbers do not mean</h3>
<ul>
<li><strong>Not the risk from weaker intruders.</strong> Real intruders know less than all records but one. Their risk is another number, which this page gives only where a scenario says what they know.</li>
<li><strong>Not a guarantee for other scenarios.</strong> Other candidates or other prior knowledge give other probabilities.</li>
<li><strong>Not membership in the population.</strong> The page says what can be learnt about the values of a record, not whether a person is in the table.</li>
<li><strong>Conditional on the family of models.</strong> The probabilities hold for an intruder who uses this synthesizer; a data set made in another way has other risks.</li>
</ul>`;
  return { id: 'columns', title: 'How to read the columns', body };
}
