import { factsOf } from '../../contracts/models/models.ts';
import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { bound, count, figure, quantity, worded } from '../figures/figure.ts';
import { fact } from '../page/facts.ts';
import { type Html, html } from '../page/html.ts';
import { label, labels } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { formatSetting } from '../words/format-number.ts';
import { roundsInWords } from '../words/rounds-in-words.ts';

const CANDIDATES_IN_WORDS: Readonly<Record<string, string>> = {
  'one-change': 'the true values, and every combination that differs from them in one variable',
  'two-changes': 'the true values, and every combination that differs from them in one or two variables',
  'all-cells': 'every combination of the categories of all variables',
};

/** The candidates of a scenario, as the summary names it, in words. */
export function candidatesInWords(candidates: string): string {
  const [kind, variables] = candidates.split(': ');
  if (kind === 'unknown' && variables !== undefined) {
    return `every value of ${variables}, the intruder knowing the other variables`;
  }
  return CANDIDATES_IN_WORDS[candidates] ?? candidates;
}

const PRIOR_IN_WORDS: Readonly<Record<string, string>> = {
  uniform: 'none of the candidates is preferred before the release (uniform prior)',
  empirical:
    'a candidate is as likely as the other records of the table that have its values, and one more spread evenly, make it (empirical prior)',
  model: 'a candidate is as likely as the synthesizer finds it that has seen all other records and not this one',
  file: 'a candidate is as likely as the weights say that were given for this run',
};

const CHAINS_IN_WORDS: Readonly<Record<NonNullable<Summary['synthesis']['chains']>, string>> = {
  own: 'each from a chain of its own',
  one: 'all from one chain, spaced apart',
  foreign: 'made elsewhere, so that the draws that generated them are unknown and the estimate is less sharp',
};

/**
 * Who the intruder is, what was estimated, and from what.
 *
 * @param risk null where there is no attribute risk
 */
export function measurementSection(summary: Summary, risk: AttributeRiskSummary | null): Section {
  const { table, model, synthesis } = summary;
  const body = html`
${risk === null ? [] : html`<p>What is said of one record is repeated for every record.</p>`}
<dl class="facts">
${risk === null ? [] : riskFacts(risk)}
${fact('Confidential table', html`${quantity(table, 'records', 'record')} on ${quantity(table, 'variables', 'variable')}; ${quantity(table, 'combinations', 'distinct combination')}${table.cells === null ? [] : html` of ${count(table, 'cells')} possible`}, ${count(table, 'sampleUniques')} of them held by a single record`)}
${fact('Synthetic data', html`${quantity(synthesis, 'datasets', 'dataset')}, ${synthesis.kind === 'full' ? 'fully' : 'partially'} synthetic${synthesis.chains === null ? '' : `, ${CHAINS_IN_WORDS[synthesis.chains]}`}`)}
${fact('Synthesized variables', html`${labels(synthesis.synthesized)}${synthesis.kind === 'full' ? '' : '; the others are released as they are'}`)}
${fact('Model', modelInWords(model))}
${summary.rounds.length === 0 || model.chains === 0 ? [] : fact('Chains', bound('summary.json#/rounds/*', roundsInWords(summary.rounds)))}
${fact('Random numbers', randomNumbersInWords(synthesis))}
${fact('Digits', DIGITS_IN_WORDS)}
${summary.acceptance.length === 0 ? [] : fact('Acceptance rules', html`${summary.acceptance.map(({ rule }, i) => html`${i > 0 ? ', ' : ''}<code>${rule}</code>`)}`)}
${fact('Version', html`synthrisk ${summary.version}, run <code>${summary.runId}</code>, seed ${bound('summary.json#/seed', String(summary.seed))}`)}
${fact('Time and cost', TIME_IN_WORDS)}
</dl>`;
  return { id: 'measured', title: 'What was measured, and with which settings', body };
}

/** The intruder whom attribute risk is of, and what such a one does with the candidates. */
export const intruderInWords = ({ synthesis: { kind } }: Summary, risk: AttributeRiskSummary) =>
  `${INTRUDER_IN_WORDS[kind]} ${isRanked(risk) ? 'ranks the candidates for' : 'works out how likely every number is in the place of'} ${MISSING_IN_WORDS[kind]}.`;

const MISSING_IN_WORDS = { full: 'the missing record’s values', partial: 'these values' } as const;

const INTRUDER_IN_WORDS = {
  full: 'The intruder in this evaluation is as strong as can be: one who knows every record of the confidential table but one, and knows the synthesizer. Holding the synthetic data, the intruder',
  partial:
    'The intruder in this evaluation is as strong as can be: one who knows every value of the confidential table but the synthesized ones of one record, and knows the synthesizer. Holding the synthetic data, the intruder',
} as const;

/** The assumption under everything else on the page. */
function randomNumbersInWords({ chains }: Summary['synthesis']): string {
  return chains === 'foreign'
    ? 'this page holds against an intruder to whom the random numbers that made the datasets are unknown. They were made elsewhere: whoever knows the seed or state from which they were drawn, and all records but one, can repeat their synthesis for each candidate and see which gives the same datasets'
    : 'this page holds against an intruder to whom the random numbers of the release are unknown. All come from its release key, 256 random bits, and the seed is no secret. Whoever has the key, and knows all records but one, can repeat the synthesis for each candidate and see which gives the same datasets. If the key was lost to someone, this page no longer holds: decide about the release as if the parameters of the model had been published, or make another under a new key';
}

const TIME_IN_WORDS = html`not on this page, which has the same bytes whenever and wherever the run is repeated: <code>run.json</code> beside it has the seconds of every phase and the memory, and of a run in AWS what it used and cost`;

const DIGITS_IN_WORDS =
  'figures are rounded to what their standard errors support, or to three digits. Quote them so: further digits, as in summary.json and the tables, are a fingerprint of the table, and confidential';

function riskFacts(risk: AttributeRiskSummary): Html {
  return html`${fact('Candidates', isRanked(risk) ? html`${label(candidatesInWords(risk.candidates))}; up to ${quantity(risk, 'candidatesPerCombinationMax', 'candidate')} for a record` : 'every value of one continuous variable, the intruder knowing the others')}
${fact('Before the release', isRanked(risk) ? (PRIOR_IN_WORDS[risk.prior] ?? risk.prior) : PRIOR_IN_WORDS.model!)}
${fact('Estimator', `${risk.estimator}: ${risk.meaning}`)}
${risk.slope === 1 ? [] : fact('Slope', html`the likelihood is raised to the power ${worded(risk, 'slope', formatSetting(risk.slope))}, as a calibration found; every probability, rank interval and number of bits on this page has it applied`)}`;
}

function modelInWords(model: Summary['model']): Html {
  const { classes, classesReason, patterns, alpha } = model;
  if (alpha !== undefined) {
    return html`${model.name}: every synthetic record is drawn by itself, from the shares of the cells with ${figure(model, 'alpha')} added to each count; ${classesReason ?? ''}`;
  }
  if (classes === null) {
    return html`${model.name}, ${factsOf(model).inWords}: ${classesReason ?? ''}`;
  }
  const kept = html`${quantity(model, 'chains', 'base chain')}, ${quantity(model, 'drawsKept', 'draw')} kept`;
  if (patterns !== undefined) {
    return html`${model.name} on ${quantity(model, 'patterns', 'pattern')} of the kept variables, up to ${quantity(model, 'classes', 'cluster')}; ${kept}`;
  }
  return html`${model.name}, up to ${quantity(model, 'classes', 'class', 'classes')}; ${kept}`;
}
