import type {
  AttackOutcome,
  AttackSummary,
  CopiesFigures,
  DisclosureFigures,
  LearnedRule,
  MembershipOutcome,
  OptimalTest,
} from '../../contracts/results/attack.ts';
import { formatFigure } from './format-number.ts';

/** What an attack is called. */
export function attackInWords({ attack, target }: Pick<AttackOutcome, 'attack' | 'target'>): string {
  if (attack === 'inference') return `inference of ${target}`;
  return attack === 'linkability' ? 'linkability' : `singling out, ${attack}`;
}

/** What synthpop's measures say, in its order. */
export const DISCLOSURE_IN_WORDS: readonly (readonly [name: keyof DisclosureFigures, meaning: string])[] = [
  ['UiO', 'records of the table that are alone with their keys'],
  ['UiS', 'rows of the dataset that are alone with their keys'],
  ['UiOiS', 'records that are alone with their keys in the table, whose keys the dataset has'],
  ['repU', 'records that are alone with their keys in the table and in the dataset (replicated uniques)'],
  ['Dorig', 'records whose keys go with one value of the target in the table'],
  ['Dsyn', 'rows whose keys go with one value of the target in the dataset'],
  ['iS', 'records whose keys the dataset has'],
  ['DiS', 'records whose keys go with one value of the target in the dataset'],
  ['DiSCO', 'those of them for which that value is true (disclosive in synthetic, correct in original)'],
  ['DiSDiO', 'those of them whose keys go with one value in the table as well'],
  ['maxDenom', 'records, at most, that one combination of keys discloses'],
  ['meanDenom', 'records that a combination of keys discloses, on average'],
  ['baseCAPd', 'guesses that are right which follow the table’s distribution of the target'],
  ['CAPd', 'guesses that are right from the records of the table with the same keys'],
  ['CAPs', 'the same of the dataset’s rows among themselves'],
  ['DCAP', 'guesses that are right which follow the dataset’s rows with the same keys'],
  ['TCAP_alt', 'DiSCO among the records whose keys the dataset has (iS)'],
  ['TCAP', 'DiSCO among the records whose keys go with one value in the dataset (DiS)'],
];

/** What tests of who is in the table are called. */
export const TESTS_IN_WORDS: Readonly<Record<MembershipOutcome['test'], string>> = {
  closestRecord: 'distance to the closest record',
  domias: 'density ratio (DOMIAS)',
  classifier: 'classifier (LOGAN)',
};

/** What these tests cannot see. */
export const WEAKER_THAN_OPTIMAL =
  'The strongest intruder knows all other records of the table. These tests do not use them, so a better test may exist: `evaluate` computes the optimal one.';

/** What the optimal tests of a run know that these tests do not. */
export const DENOMINATORS =
  'The optimal test of a scenario knows the synthesizer and, unless the scenario says otherwise, all other records of the table. The attacks know the release, and two of them a reference sample of other people. A scenario in which the intruder knows no record or a share of them is the fairer yardstick, though it has no reference sample. A share above 100 % beyond its error, of a test that knows all other records, says that the model is not the synthesizer’s.';

/** What the intruder of a scenario has of the table. */
const KNOWN: Readonly<Record<OptimalTest['knows'], string>> = {
  others: 'all other records',
  nothing: 'no record',
  share: 'a share of the records',
  file: 'the records of a file',
};

/** The optimal test of a scenario, by what its intruder knows. */
export const optimalInWords = ({ scenario, knows }: OptimalTest): string => `optimal test, ${scenario} (knows ${KNOWN[knows]})`;

/** What RAPID counts, by its rule. */
export function rapidRuleInWords({ method, threshold }: Pick<LearnedRule, 'method' | 'threshold'>): string {
  return `${RULES[method]} ${formatFigure(threshold)}`;
}

const RULES: Readonly<Record<LearnedRule['method'], string>> = {
  RCS_marginal: 'normalized gain above',
  symmetric: 'symmetric relative error below',
  RCS_conditional: 'probability by the mean of its category (RCS_conditional) above',
  NCE: 'score by cross-entropy (NCE) above',
  stabilised_relative: 'error by the true number (stabilised_relative) below',
};

/** riskutility's measures of rows beside people, in words. */
export const COPIES_IN_WORDS: readonly (readonly [name: keyof CopiesFigures, label: string, meaning: string])[] = [
  ['aaTrain', 'Adversarial accuracy, table', 'mean of the next two; 50 % where rows are like other people and hardly any two are equal'],
  ['aaTrainLeft', 'of its records', 'records that are farther from every row than from another record'],
  ['aaTrainRight', 'of the rows', 'rows that are farther from every record than from another row'],
  ['aaHoldout', 'Adversarial accuracy, control', 'the same of people who are not in the table'],
  ['privacyLoss', 'Privacy loss', 'that of the control less that of the table; 0 where rows are as near to other people'],
  ['identifiabilityRate', 'Identifiability', 'rows nearer than 0.05 to a record, variables of few values weighing most'],
  ['membershipProbMean', 'Delta-presence, mean', 'rows with the keys of a record by records with them, 1 at most'],
  ['linkageRisk', 'Record linkage', 'chance that one of the rows nearest by the keys is the record’s own, row i for record i'],
];

/** The families of measures: what each takes for granted, and where it misleads (docs/explanation/compared.md). */
export const READINGS: readonly (readonly [measure: string, takes: string, misleads: string])[] = [
  [
    'Disclosure (synthpop)',
    'The intruder knows exactly the keys, without error, and believes what the dataset’s rows with these keys say.',
    'DiSCO counts what is right by chance, and what anybody could predict: compare it with Dorig and baseCAPd. More keys leave fewer rows alike, so that DiSCO and repU can fall where an intruder knows more. A value that the dataset makes likely but not certain counts nothing in DiSCO.',
  ],
  [
    'Singling out (Anonymeter)',
    'A query that one row of the dataset meets is a guess; it succeeds when one distinct row of the table meets it.',
    'Nothing is learnt of whoever is singled out. Files are stripped of repeated rows first, so that several people who are alike count as one. Where there are fewer queries than attempts the rest count as failures.',
  ],
  [
    'Linkability (Anonymeter)',
    'Two files hold halves of the variables of the same people; the intruder links those whose nearest row is the same.',
    'Few variables leave many rows equally near, of which one is taken by chance: little is linked then even where the dataset reveals much.',
  ],
  [
    'Inference (Anonymeter)',
    'The intruder knows the keys and believes the nearest row; a category must be right, a number within 5 %.',
    'Without a control it counts what follows from the population, which a useful release cannot hide. The baseline guesses without the keys, so that beating it is no leak.',
  ],
  [
    'RAPID',
    'The intruder learns the target from the synthetic rows, by trees, and applies what they learned to the keys of a person.',
    'Without a control it counts what anybody could learn about the population. What is beyond the control is a lower bound: another learner may predict more. A prediction within 10 % says little where all values are alike.',
  ],
  [
    'Closest records',
    'A row that is close to a record gives it away. Distance is Gower’s: the mean over variables of 0 or 1, or of the difference by the range.',
    'It names no intruder and nothing that is learnt. In a table of few categories most rows equal some record by chance; a release can disclose without a single close row.',
  ],
  [
    'Adversarial accuracy (NNAA)',
    'A person who is nearer to a row than to other people is exposed, by Gower’s distance over all variables.',
    'Without other people it counts equal records: in a table of few categories it is near 0 for any useful release. Only the privacy loss is due to the records of the table.',
  ],
  [
    'Identifiability, delta-presence',
    'A row that is near a record, or has its keys, gives it away.',
    'Neither has a control. A release that is useful has most keys of the table as often, so that delta-presence is high for it. A variable of hardly more than one value takes most of the weight of identifiability.',
  ],
  [
    'Record linkage',
    'Row i is made from record i, and the intruder links a record with one of the rows nearest by the keys.',
    'Of a fully synthetic release it is what chance gives, 1 by the number of rows, whatever that release discloses.',
  ],
  [
    'PID, leakage, surprisal, population uniqueness',
    'The intruder believes the rows with the keys of a person, and knows how common each value is.',
    'PID takes the largest gain of any value, true or not, and is largest for rare ones. Leakage is the whole entropy of the target where one row is alone with its keys. The formulas of population uniqueness do not hold what they are named after.',
  ],
  [
    'Tests of who is in the table',
    'The intruder knows every value of a person. For DOMIAS and the classifier they also have records of other people from the same population.',
    'An AUC near 0.5 shows that this test fails, not that nobody is exposed: an average over all members hides a few who stand out. A control from another population raises or lowers every AUC.',
  ],
  [
    'Counts of the keys (sdcMicro)',
    'The file itself is published, and the intruder knows the keys without error. Every record stands for as many people: there are no weights.',
    'They say what of the table would be risky to publish as it is, not what a synthetic file reveals about it. Rows of a fully synthetic dataset are nobody’s: that one is alone with its keys is no risk by itself.',
  ],
];

/** What is said of figures that are null for want of a control, and of how risk is then to be read. */
export function controlInWords({ controlRecords }: AttackSummary): string {
  return controlRecords === null
    ? 'There is no control: risks of attacks are their rates of success, of which a part is what anybody could predict.'
    : 'Risks of attacks are what is left beyond their success against the control.';
}
