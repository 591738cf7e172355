import { isSimulated } from '../../contracts/config/config.ts';
import type { ChainDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import { isRanked, nearestVariable } from '../../contracts/results/ranked-figures.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { ReportHeading } from '../../contracts/run/plan.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { untrustedReason } from '../../contracts/settings/trusted-figures.ts';
import { derived, estimate, figure, percent, quantity, ruled } from '../figures/figure.ts';
import { matchSpread, riskiestScenario } from '../figures/matched-figures.ts';
import { nearInWords } from '../figures/near.ts';
import { type Html, html, textOf } from '../page/html.ts';
import { label } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { warningList } from '../page/warnings.ts';
import { errorsInWords } from '../words/errors-in-words.ts';
import { formatQuantity } from '../words/format-number.ts';
import { gravestFirst, WARNINGS_IN_WORDS } from '../words/warnings-in-words.ts';
import { guessesWithinErrors } from '../words/within-errors.ts';
import { headlineIntruder, headlines } from './headlines.ts';
import { measurements } from './measured.ts';
import type { ReportInput } from './report-input.ts';

/**
 * May this be released? What a board signs: whether the rules are met, the figures to decide from under one prior, every warning
 * from the gravest, what was measured, and space for the decision.
 */
export function verdictSection({ summary, chains, heading }: Pick<ReportInput, 'summary' | 'chains' | 'heading'>): Section {
  const { assessable } = summary;
  const body = html`${judgement(summary)}
<p class="lead">${inShort(summary)}</p>
${assessable ? headlineTable(summary) : []}
${assessable ? errorsNote(summary) : []}
${copiesLine(summary)}
${rulesTable(summary)}
${warningsPart(allWarnings(summary, chains))}
${measuredPart(summary)}
${decisionPart(summary, heading)}`;
  return { id: 'verdict', title: 'May this be released?', body };
}

/** The verdict in one line for a terminal: what the rules say, and what the release reveals. */
export function verdictLine(summary: Summary): string {
  return textOf(html`${ruling(summary)} ${inShort(summary)}`).replaceAll('’', "'");
}

/** Warnings of the run and of its chains, from the gravest, each once. */
export function allWarnings({ warnings }: Summary, chains: ChainDiagnostics | null): Warning[] {
  const stated = new Set(warnings.map(({ message }) => message));
  return gravestFirst([...warnings, ...(chains?.warnings ?? []).filter(({ message }) => !stated.has(message))]);
}

function warningsPart(warnings: readonly Warning[]): Html {
  if (warnings.length === 0)
    return html`<h3>Warnings</h3>
<p>There are no warnings.</p>`;
  return html`<h3>Warnings, the gravest first</h3>
${warningList(warnings, WARNINGS_IN_WORDS)}`;
}

/** What the release reveals, in a sentence: of values where they are asked for, else of the whole record, else by matching. */
function inShort(summary: Summary): Html {
  const [risk] = summary.attributeRisk;
  if (!summary.assessable) return html`${summary.assessableReason ?? ''}`;
  if (risk === undefined) return matchedInWords(summary);
  const untrusted = untrustedReason(risk, summary);
  if (untrusted !== null) return html`No figure of attribute risk can be relied upon. ${untrusted}`;
  if (!isRanked(risk)) {
    const nearest = nearestVariable(risk);
    return nearest === undefined ? html`No record has a number to be guessed.` : nearInWords(nearest);
  }
  const under = (who: string, alone: string) =>
    summary.attributeRisk.length > 1 ? html`Under the scenario ${label(risk.scenario)}, ${who}` : alone;
  if (risk.gainBitsMean === null) {
    return html`${under('an intruder', 'An intruder')} guesses ${percent(risk, 'truthRankedFirstShare')} of records correctly with the release and ${percent(risk, 'priorFirstShare')} without it.`;
  }
  const who =
    risk.knows === 'nothing'
      ? under('an intruder with nothing else', 'With nothing else, an intruder')
      : under('an intruder who knows everything else about a person', 'Knowing everything else about a person, an intruder');
  return html`${who} guesses ${percent(risk, 'firstGuessRightAfter')} of values correctly with the release and ${percent(risk, 'firstGuessRightBefore')} without it.${guessesWithinErrors(risk)}`;
}

/** The figures to decide from, a row each. */
function headlineTable(summary: Summary): Html {
  const table = renderTable(
    'headline-caption',
    headlineIntruder(summary),
    [{ words: 'Figure' }, 'This release', { words: 'Baseline' }, { words: 'Yardstick' }],
    headlines(summary).map(
      ({ name, value, baseline, yardstick }) => html`<tr><th scope="row">${name}</th><td class="headline">${value}</td>
<td class="words">${baseline}</td><td class="words">${yardstick}</td></tr>
`,
    ),
  );
  return html`<div class="headlines">${table}</div>`;
}

/** What was measured, and what was not with its reason. */
function measuredPart(summary: Summary): Html {
  const all = measurements(summary);
  const without = all.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }]));
  const measured = all.filter(({ reason }) => reason === null).map(({ name }) => name);
  return html`<h3>What was measured</h3>
<p><strong>Measured:</strong> ${measured.length === 0 ? 'nothing' : measured.join('; ')}.</p>
${without.length === 0 ? [] : html`<p><strong>Not measured:</strong> ${without.map(({ name, reason }) => `${name} (${reason})`).join('; ')}.</p>`}`;
}

/** Space for those who decide, with what the run knows of itself; what it does not know is filled in by hand. */
function decisionPart({ runId, version, table }: Summary, { startedOn, table: name, by }: ReportHeading): Html {
  const entry = (
    term: string | Html,
    known?: string,
  ) => html`<div><dt>${term}</dt>${known === undefined ? html`<dd></dd>` : html`<dd class="filled">${known}</dd>`}</div>
`;
  return html`<h3>Decision</h3>
<dl id="decision" class="decision">
${entry('Run', `${runId}, synthrisk ${version}`)}
${entry(html`Table (${quantity(table, 'records', 'record')}, ${quantity(table, 'variables', 'variable')})`, name)}
${entry(runBy(startedOn), by)}
${['Decision: release, change or refuse', 'Name', 'Signature', 'Date', 'Review on'].map((term) => entry(term))}</dl>`;
}

/** What asks who ran a run, with its day where that is known. */
export const runBy = (startedOn: string | undefined): string => (startedOn === undefined ? 'Run by, on' : `Run on ${startedOn} (UTC) by`);

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
      ? [
          '',
          'Starter rules: run again with --accept-starter. Rules of your own: --accept, or acceptance in the config. A run with chains takes both afterwards (synthrisk reassess).',
        ]
      : met
        ? ['is-met', 'By the rules that were set for this run it may be released, if a person decides so.']
        : ['is-not-met', 'By the rules that were set for this run it may not be released as it is.'];
  return html`<div class="judgement ${name}">
<p class="ruling">${ruling(summary)}</p>
<p>${meaning}</p>
</div>`;
}

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

/** Exact copies of unique records, which stand in every verdict. */
function copiesLine({ copies, table }: Summary): Html | [] {
  if (copies === null) return [];
  const expected = copies.uniquesExpected === null ? [] : html`; the model expects ${estimate(copies, 'uniquesExpected')}`;
  return html`<p>Exact copies in the datasets: ${figure(copies, 'uniques')} of the table’s ${quantity(table, 'sampleUniques', 'unique record')}${expected}.</p>`;
}

/** Which errors the figures have; nothing without attribute risk. */
function errorsNote({ attributeRisk: [risk] }: Summary): Html | [] {
  if (risk === undefined) return [];
  return html`<p class="note">${errorsInWords(risk)}.${isSimulated(risk.estimator) ? '' : ' Given the release the figures are exact.'}</p>`;
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
