import type { Warning } from '../../contracts/run/warning.ts';

/** What a warning comes to for the reader, and what to do about it. */
interface WarningInWords {
  readonly means: string;
  readonly advice: string;
}

/** Warnings of a run by their code, the gravest first; others have their message alone. */
export const WARNINGS_IN_WORDS: Readonly<Record<string, WarningInWords>> = {
  'not-assessable': { means: 'The datasets cannot be assessed', advice: 'Do not release them as synthetic data' },
  'copies-unexplained': {
    means: 'There are more exact copies than the model explains',
    advice: 'Before a release, find out whether records were copied or the model fits more closely',
  },
  'release-beyond-maximum': {
    means: 'The release discloses more than a perfect synthesizer would',
    advice: 'Look for copied values; fewer classes or coarser variables lower it',
  },
  'control-holds-records': {
    means: 'The control seems to hold records of the table',
    advice: 'Take them out of the control and run again',
  },
  'truths-ruled-out': {
    means: 'The estimate rules true values out',
    advice: 'Quote none of its figures; try fewer classes (--classes 8) or fewer variables',
  },
  'crowded-classes': {
    means: 'There are many classes for so few records and so many numbers',
    advice: 'Try fewer (--classes), or synthesize fewer numbers',
  },
  'heaped-numbers': {
    means: 'Many records share a number that is not declared as a mass, and the run claims less risk than the release brings',
    advice: 'Declare such values (masses in the config): small counts, round amounts',
  },
  'skip-patterns': {
    means: 'Where a question is not asked or codes are nested, the model releases what cannot be, and may claim more risk than that brings',
    advice:
      'Leave out what follows from another variable; or declare what cannot be, where the model takes that: synthrisk plan TABLE --write-zeros FILE drafts it',
  },
  'claim-differs': {
    means: 'The estimate claims another gain than it finds',
    advice: 'Try what it claims on this table: synthrisk calibrate',
  },
  'membership-differs': {
    means: 'The test of membership is not calibrated',
    advice: 'Do not quote it; of datasets made elsewhere name the model, or give people like those of the table (--control)',
  },
  'other-trees': {
    means: 'The trees are not those that made the datasets',
    advice: 'Give the settings that made them (model in the config, --synthpop)',
  },
  'structural-zeros-ignored': { means: 'Impossible combinations were not excluded from the bounds', advice: 'Read the minimum as rough' },
  'unique-values-released': {
    means: 'Values that one record alone has were released',
    advice: 'Smooth them (model.smoothing), or make the column coarser',
  },
  'patterns-of-one-record': {
    means: 'Most records share their kept values with no other',
    advice: 'Band continuous variables (--breaks), or keep fewer',
  },
  'few-effective-draws': { means: 'Some risks rest on few draws', advice: 'Use --estimator augmented' },
  'labels-not-mixed': { means: 'A chain may be stuck', advice: 'Look at the diagnostics in the report; try a longer --burn-in' },
  'low-reproducibility': {
    means: 'A second evaluation would order the records differently',
    advice: 'Quote no single record, or run longer (--reproducibility 0.97)',
  },
  'reproducibility-not-reached': { means: 'The target of reproducibility was not reached', advice: 'Raise --max-chains' },
  'heavy-tails': {
    means: 'Some errors may be larger than stated',
    advice: 'Quote no row marked heavy_tail, or add chains (--reproducibility)',
  },
  'length-matters': { means: 'Longer chains would change the risk', advice: 'Repeat with twice --paired-thin' },
  'chains-differ': { means: 'The chains have not converged', advice: 'The errors include it; more --chains lower them' },
  'classes-near-limit': { means: 'The model may need more classes', advice: 'Raise --classes (model.clusters of dp-areal)' },
  'made-elsewhere': {
    means: 'The datasets were made elsewhere',
    advice: 'Name the model and settings that made them: the risk holds under those alone',
  },
  'true-value-tried': {
    means: 'True values were among those tried',
    advice: 'Read the risk as that of an intruder who checks a value they suspect',
  },
  'slope-applied': { means: 'The probabilities were adjusted', advice: 'Calibrate with this slope and another seed' },
};

/** Warnings from the gravest: those without words of their own at the end, in the order in which they were found. */
export function gravestFirst(warnings: readonly Warning[]): Warning[] {
  const codes = Object.keys(WARNINGS_IN_WORDS);
  const place = ({ code }: Warning) => (codes.indexOf(code) + codes.length + 1) % (codes.length + 1);
  return warnings.toSorted((a, b) => place(a) - place(b));
}

const wordsOf = (code: string): string | null => {
  if (!Object.hasOwn(WARNINGS_IN_WORDS, code)) return null;
  const { means, advice } = WARNINGS_IN_WORDS[code]!;
  return `${means}. ${advice}.`;
};

/** A warning in a line, with what to do: in words where it has them, else as the first sentence of its message says. */
export const warningInShort = ({ code, message }: Warning): string =>
  wordsOf(code) ?? `${message.replace(/\. .*/s, '').replace(/\.$/, '')}.`;

/** A warning with what to do, and its message. */
export const warningInFull = ({ code, message }: Warning): string => [wordsOf(code) ?? [], message].flat().join(' ');
