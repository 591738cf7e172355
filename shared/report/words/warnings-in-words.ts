import type { Warning } from '../../contracts/run/warning.ts';

/** What a warning comes to for the reader, by its code, the gravest first; others have their message alone. */
export const WARNINGS_IN_WORDS: Readonly<Record<string, string>> = {
  'not-assessable': 'The datasets cannot be assessed',
  'copies-unexplained': 'More exact copies than the model explains',
  'release-beyond-maximum': 'The release discloses more than a perfect synthesizer would',
  'draws-know-the-truth': 'The draws have seen the truth',
  'control-holds-records': 'The control seems to hold records of the table',
  underclaims: 'The probabilities claim too little',
  'claim-differs': 'The estimate claims another gain than it finds',
  'membership-differs': 'The test of membership is not what it claims to be',
  'other-trees': 'The trees are not those that made the datasets',
  'structural-zeros-ignored': 'Impossible combinations were not excluded',
  'unique-values-released': 'Values that one record alone has came out',
  'patterns-of-one-record': 'Some records share their kept values with no other',
  'few-effective-draws': 'Some risks rest on few draws',
  overclaims: 'The probabilities claim too much',
  'weights-not-converged': 'The weights have not settled',
  'labels-not-mixed': 'A chain is stuck',
  'low-reproducibility': 'A second evaluation would order the records differently',
  'reproducibility-not-reached': 'The target of reproducibility was not reached',
  'heavy-tails': 'Some errors may be larger than stated',
  'length-matters': 'Longer chains would change the risk',
  'chains-differ': 'The chains have not converged',
  'classes-near-limit': 'The model may need more classes',
  'made-elsewhere': 'The datasets were made elsewhere',
  'true-value-tried': 'True values were among those tried',
  'slope-applied': 'The probabilities were adjusted',
};

/** Warnings from the gravest: those without words of their own at the end, in the order in which they were found. */
export function gravestFirst(warnings: readonly Warning[]): Warning[] {
  const codes = Object.keys(WARNINGS_IN_WORDS);
  const place = ({ code }: Warning) => (codes.indexOf(code) + codes.length + 1) % (codes.length + 1);
  return warnings.toSorted((a, b) => place(a) - place(b));
}
