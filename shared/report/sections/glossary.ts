/**
 * The glossary: docs/explanation/meaning.md has it as a table, the report as a list. Markdown with links from that page; pages of the
 * report have its words alone.
 */
export const TERMS: readonly (readonly [term: string, meaning: string])[] = [
  [
    'intruder',
    'by default they know every other record, all but one value of the target’s, the release and the synthesizer. Real intruders know less',
  ],
  ['candidates', 'the values that the intruder considers. More candidates give lower probabilities: compare runs with the same ones'],
  [
    'prior',
    'what the intruder believes before the release. `model`: the synthesizer fitted without this record; `uniform`: all candidates alike; `empirical`: counts of the other records; or weights from files',
  ],
  [
    'guessed right, before and after',
    'share of values that the intruder guesses correctly without the release and with it. Hold *before* against the commonest value, always guessed (`commonestShare`)',
  ],
  [
    'gain at the true values',
    'how many bits the release adds about the true values (`gainBitsMean`). It stands beside what the estimate *claims*; its error holds simulation and release ([how](estimators.md#records-that-are-really-there))',
  ],
  [
    'uncertainty resolved',
    'the gain by what the intruder lacked before: 0 % where the release does not depend on the table, 100 % where it is the table, below 0 % where it misleads. [Where other releases stand](reference-releases.md)',
  ],
  [
    'newly disclosed',
    'the intruder’s best guess was wrong before the release; afterwards it is right, with probability above 50 % (`valuesGivenAway`)',
  ],
  [
    'change in the intruder’s probabilities',
    '`information_bits`, `rank` and `probability` of the truth. Under a uniform prior they also count what the model knows without any release, and few truths rank first, since real records hold common values',
  ],
  [
    'Bayes factor',
    'risk for every belief beforehand; `--acceptance-region "R <= 0.1 or RR <= 1.05"` bounds it ([how](estimators.md#risk-whatever-is-believed-beforehand))',
  ],
  [
    'privacy loss',
    'how far this release could move the odds between the truth and any other candidate, in nats. No guarantee, as differential privacy gives one',
  ],
  ['membership', 'how well the release shows who is in the table. An AUC of 50 %: nobody can tell ([how](membership.md))'],
  [
    'exact copies',
    'unique records of the table that are in the datasets as whole rows, and how many the model expects. Files that are the table are [not assessable](not-assessable.md)',
  ],
  [
    'errors',
    'Monte Carlo standard error, release-to-release error, and both together. A row that is not `distinguishable` has a rank interval of half of the candidates or more: do not quote its rank',
  ],
  [
    'reproducibility',
    'rank correlation to expect between two evaluations of one release; chains are added until that of ranks reaches 0.97, up to four times the first. `--reproducibility 0.99` asks for more, `off` for none',
  ],
  [
    'kept and synthesized variables',
    'with `--synthesized EDUC,EMPSTAT` the datasets keep the others, row by row, and the intruder knows them',
  ],
];

/** What the numbers do not mean. */
export const NOT_MEANT: readonly string[] = [
  'They are no guarantee against other attacks, other candidates or other prior knowledge.',
  'They hold for an intruder who reasons with this family of models. Datasets of another synthesizer are assessed as if they came from this one.',
  'Figures of risk say nothing about usefulness.',
  'A rule that is not met may have a figure below its bound: where the figure cannot be relied upon, `reason` says why.',
  'An acceptance rule that is met is not a decision to release. A person decides.',
  'They are no risk from weaker intruders. Real intruders know less than all records but one; a scenario says what they know.',
];

/** The words of such Markdown: without links, emphasis and marks of code. */
export const wordsOfMarkdown = (text: string): string =>
  text
    .replace(/ \(\[how\]\([^)]*\)\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '');
