import { isSimulated } from '../../contracts/config/config.ts';
import { isRanked, nearestVariable } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { derived, estimate, figure, headline, percent, quantity, ruled, supported } from '../figures/figure.ts';
import { matchHeadline, matchSpread, riskiestScenario } from '../figures/matched-figures.ts';
import { nearInWords } from '../figures/near.ts';
import { RESOLVED_SCALE, resolvedInWords } from '../figures/resolved.ts';
import { keyFigure } from '../page/facts.ts';
import { type Html, html, textOf } from '../page/html.ts';
import { label } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { warningList } from '../page/warnings.ts';
import { priorInShort } from '../words/belief-shift.ts';
import { errorsInWords } from '../words/errors-in-words.ts';
import { formatQuantity } from '../words/format-number.ts';
import { WARNINGS_IN_WORDS } from '../words/warnings-in-words.ts';
import { guessesWithinErrors } from '../words/within-errors.ts';

/** May this be released? Whether the rules are met, the numbers to decide from with their errors, and what to mistrust. */
export function verdictSection(summary: Summary): Section {
  const { warnings } = summary;
  const body = html`
<p class="lead">${answer(summary)}</p>
${
  summary.assessable
    ? html`<dl class="figures">
${keyFigures(summary)}</dl>
${reasonOfNoRisk(summary)}`
    : []
}
${copiesLine(summary)}
${rulesTable(summary)}
<h3>Warnings</h3>
${warnings.length === 0 ? html`<p>There are no warnings.</p>` : warningList(warnings, WARNINGS_IN_WORDS)}`;
  return { id: 'verdict', title: 'May this be released?', body: html`${judgement(summary)}${body}` };
}

/** The verdict in one line for a terminal: what the rules say, and what the release tells. */
export function verdictLine(summary: Summary): string {
  return textOf(html`${ruling(summary)} ${inShort(summary)}`).replaceAll('’', "'");
}

function inShort(summary: Summary): Html {
  const [risk] = summary.attributeRisk;
  if (!summary.assessable) return html`${summary.assessableReason ?? ''}`;
  if (risk === undefined) return matchedInWords(summary);
  if (!isRanked(risk)) return nearestInWords(risk);
  return risk.gainBitsMean === null
    ? html`First guesses are right for ${percent(risk, 'truthRankedFirstShare')} of the records, ${percent(risk, 'priorFirstShare')} without the release.`
    : html`${resolvedFirst(risk)}${percent(risk, 'firstGuessRightAfter')} of values are guessed right, ${percent(risk, 'firstGuessRightBefore')} without the release.${guessesWithinErrors(risk)}`;
}

/** How much of the uncertainty is resolved, as a sentence before another; nothing where that is undefined. */
function resolvedFirst(risk: AttributeRiskSummary): Html | [] {
  return risk.uncertaintyResolved === null ? [] : html`${resolvedInWords(risk)} `;
}

function ruling({ acceptance, assessable }: Summary): Html {
  if (!assessable) return html`The datasets are not assessable: no figure can be relied upon, and no rule is met.`;
  const missed = acceptance.filter(({ met }) => !met).length;
  if (acceptance.length === 0) return html`No acceptance rule was set: a person must judge the numbers.`;
  if (missed > 0) {
    return html`${derived('rules-not-met', String(missed))} of ${derived('rules', formatQuantity(acceptance.length, 'acceptance rule'))} ${missed === 1 ? 'is' : 'are'} not met.`;
  }
  return acceptance.length === 1
    ? html`The acceptance rule is met.`
    : html`All ${derived('rules', formatQuantity(acceptance.length, 'acceptance rule'))} are met.`;
}

function judgement(summary: Summary): Html {
  const { acceptance, assessable } = summary;
  const met = acceptance.every((rule) => rule.met);
  const [name, meaning] = !assessable
    ? ['is-not-met', 'What was given cannot be judged as synthetic data, and may not be released as such.']
    : acceptance.length === 0
      ? ['', 'Rules are set with --accept, or under acceptance in the config, before a run or with reassess.']
      : met
        ? ['is-met', 'By the rules that were set for this run it may be released, if a person decides so.']
        : ['is-not-met', 'By the rules that were set for this run it may not be released as it is.'];
  return html`<div class="judgement ${name}">
<p class="ruling">${ruling(summary)}</p>
<p>${meaning}</p>
</div>`;
}

/** What the release tells, in a sentence: of values where they are asked for, else of the whole record, else by matching. */
function answer(summary: Summary): Html {
  const risk = summary.attributeRisk[0];
  if (!summary.assessable) return html`${summary.assessableReason ?? ''}`;
  if (risk === undefined) return matchedInWords(summary);
  if (!isRanked(risk)) return nearestInWords(risk);
  if (risk.gainBitsMean === null) {
    return html`With the release the intruder’s first guess is right for ${percent(risk, 'truthRankedFirstShare')} of the records; ${withoutRelease(risk)} it would be for ${percent(risk, 'priorFirstShare')}.`;
  }
  return html`${resolvedFirst(risk)}With the release an intruder who knows the rest of a record guesses ${percent(risk, 'firstGuessRightAfter')} of the records’ values right, one variable at a time; without it, from the other records alone, ${percent(risk, 'firstGuessRightBefore')}. Always guessing the commonest value of each variable is right for ${percent(risk, 'commonestShare')}, naive Bayes from the same other values for ${percent(risk, 'naiveBayesShare')}.${guessesWithinErrors(risk)}`;
}

/** The same where numbers alone are guessed at: of the variable to which an intruder comes nearest. */
function nearestInWords(risk: AttributeRiskSummary): Html {
  const nearest = nearestVariable(risk);
  return html`${resolvedFirst(risk)}${nearest === undefined ? 'No record has a number to be guessed.' : nearInWords(nearest)}`;
}

const withoutRelease = ({ prior }: AttributeRiskSummary) =>
  prior === 'uniform' ? 'by guessing at random' : `by the ${priorInShort(prior)} alone`;

/** What matching and equal values come to, in a sentence each. */
function matchedInWords(summary: Summary): Html {
  const most = riskiestScenario(summary);
  const { attributeDisclosures: disclosed, identificationRisk } = summary;
  const several = identificationRisk.filter((risk) => risk.applies).length > 1;
  const found =
    most === undefined
      ? html`How many records an intruder could find by matching was not measured.`
      : html`An intruder who matches would find about ${matchSpread(most, 'expectedMatchRisk')} of ${quantity(summary.table, 'records', 'record')} in a dataset${several ? ', under the scenario of most risk' : ''}.`;
  if (disclosed === null) return found;
  const one = disclosed.synthesized.length === 1;
  return html`${found} The synthetic ${one ? 'value is the true one' : 'values are the true ones'} for ${figure(disclosed.all, 'mean')} records on average (${percent(disclosed.all, 'meanShare')}).`;
}

/** The numbers to decide from, each with its error and what it is to be compared with. */
function keyFigures(summary: Summary): Html[] {
  const [risk] = summary.attributeRisk;
  const most = riskiestScenario(summary);
  const matched = most && [
    keyFigure(
      'Records found by matching',
      matchHeadline(most, 'expectedMatchRisk'),
      html`of ${quantity(summary.table, 'records', 'record')}; ± between datasets; scenario ${label(most.scenario)}`,
    ),
    keyFigure('False match rate', matchHeadline(most, 'falseMatchRate'), 'unique matches that are wrong; 1 protects'),
  ];
  if (risk === undefined) {
    const all = summary.attributeDisclosures?.all;
    const outcome = all && html`from ${figure(all, 'smallest')} to ${figure(all, 'largest')} records by dataset`;
    return [...(matched ?? []), ...(all ? [keyFigure('True values that came out', percent(all, 'meanShare'), outcome!)] : [])];
  }
  if (!isRanked(risk)) return [...numberFigures(risk), ...(matched?.slice(0, 1) ?? [])];
  const values = risk.gainBitsMean === null ? beliefFigures(risk) : valueFigures(risk);
  const first = keyFigure(
    'Truth ranked first',
    headline(risk, 'truthRankedFirstShare', 'percent'),
    html`${risk.prior === 'uniform' ? 'guessing at random' : 'prior alone'}: ${percent(risk, 'priorFirstShare')}`,
  );
  return [...values, matched?.[0] ?? first];
}

/** What the release tells of whole records. */
const beliefFigures = (risk: AttributeRiskSummary): Html[] => [
  keyFigure(
    'Probability of the truth, mean',
    headline(risk, 'probabilityMean'),
    html`before the release: ${figure(risk, 'priorProbabilityMean')}`,
  ),
  keyFigure(
    'Shift of belief, bits a record',
    headline(risk, 'informationBitsMean'),
    html`largest: ${figure(risk, 'informationBitsMax')}; 0 = nothing shifted`,
  ),
];

const resolvedFigure = (risk: AttributeRiskSummary): Html[] =>
  risk.uncertaintyResolved === null
    ? []
    : [keyFigure('Uncertainty resolved', headline(risk, 'uncertaintyResolved', 'percent'), RESOLVED_SCALE)];

/** Key figures where numbers alone are guessed at. */
function numberFigures(risk: AttributeRiskSummary): Html[] {
  const nearest = nearestVariable(risk);
  if (nearest === undefined) return [];
  return [
    ...resolvedFigure(risk),
    keyFigure(
      html`${label(nearest.variable)} ${nearest.near}`,
      headline(nearest, 'withinAfter', 'percent'),
      html`mean probability of a value so near the true one; before the release: ${percent(nearest, 'withinBefore')}`,
    ),
    gainFigure(risk),
  ];
}

/** What it tells of values one by one. */
const valueFigures = (risk: AttributeRiskSummary): Html[] => [
  ...resolvedFigure(risk),
  keyFigure(
    'Values guessed right',
    headline(risk, 'firstGuessRightAfter', 'percent'),
    html`before the release: ${percent(risk, 'firstGuessRightBefore')}; by the commonest values: ${percent(risk, 'commonestShare')}; by naive Bayes: ${percent(risk, 'naiveBayesShare')}`,
  ),
  gainFigure(risk),
];

const gainFigure = (risk: AttributeRiskSummary): Html =>
  keyFigure(
    'Gain at the truth, bits a record',
    headline(risk, 'gainBitsMean'),
    html`claimed: ${supported(risk, 'gainBitsClaimed')}; of the riskiest 1\u00a0% of records: ${estimate(risk, 'gainBitsRiskiest')}; 0 = nothing added`,
  );

/** Exact copies of unique records, which stand in every verdict. */
function copiesLine({ copies, table }: Summary): Html | [] {
  if (copies === null) return [];
  const expected = copies.uniquesExpected === null ? [] : html`; the model expects ${estimate(copies, 'uniquesExpected')}`;
  return html`<p>Exact copies in the datasets: ${figure(copies, 'uniques')} of the table’s ${quantity(table, 'sampleUniques', 'unique record')}${expected}.</p>`;
}

/** Why values are not among the numbers; nothing where they are. */
function reasonOfNoRisk({ attributeRisk, attributeRiskReason }: Summary): Html {
  const risk = attributeRisk[0];
  if (risk === undefined) {
    return html`<p>Attribute risk, what an intruder could learn about the values of each record, is not measured:
${attributeRiskReason ?? ''}</p>`;
  }
  const reason = risk.gainBitsMean === null ? html` Values one by one are not asked for: ${risk.gainBitsReason ?? ''}.` : [];
  const exact = isSimulated(risk.estimator) ? '' : ' Given the release the figures are exact.';
  const unranked = isRanked(risk) ? [] : html` Candidates are not ranked: ${risk.rankedReason ?? ''}.`;
  return html`<p class="note">${errorsInWords(risk)}.${exact}${reason}${unranked}</p>`;
}

function rulesTable({ acceptance, attributeRisk, identificationRisk }: Summary): Html | [] {
  if (acceptance.length === 0) return [];
  const several = attributeRisk.length > 1 || identificationRisk.length > 1;
  return renderTable(
    'acceptance-caption',
    'Acceptance rules that were set for this run',
    ['Rule', ...(several ? [{ words: 'Scenario' }] : []), 'Value', { words: 'Outcome' }],
    acceptance.map(
      (result) => html`<tr><th scope="row"><code>${result.rule}</code></th>
${several ? html`<td class="words">${result.scenario === null ? 'of none' : label(result.scenario)}</td>` : []}
<td>${ruled(result, 'value')}</td>
<td class="words">${result.met ? html`<span class="met">met</span>` : html`<strong class="not-met">not met</strong>${result.reason === undefined ? '' : `: ${result.reason}`}`}</td></tr>
`,
    ),
  );
}
