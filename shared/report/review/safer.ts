import { isComparedByRanks, type Remedies } from '../../contracts/results/remedies.ts';
import { estimate, figure, quantity, worded } from '../figures/figure.ts';
import { riskiestScenario } from '../figures/matched-figures.ts';
import { type Html, html } from '../page/html.ts';
import { label, labels, shortened } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { labelledTable } from '../page/table.ts';
import { meanInWords, shareInWords } from '../words/group-in-words.ts';
import type { ReportInput } from './report-input.ts';

/** Something to try: why, by the numbers of this run, and the command. */
interface Trial {
  readonly why: Html;
  readonly command: string;
}

/** What would make it safer? Where the risk of this run comes from, what was tried, and the commands that would tell. */
export function saferSection(input: ReportInput): Section {
  const { remedies } = input;
  const trials = trialsOf(input);
  const body = html`
${remedies === null ? [] : triedTable(remedies)}
<p>This page judges one release and knows no cure by itself. Each of these makes another release of the same table, to be
assessed in turn; each loses utility as well, and <code>synthrisk compare</code> sets both beside each other. RUN is the folder of this run, and
TABLE the confidential table.</p>
<ul class="commands">
${trials.map(
  ({ why, command }) => html`<li>${why}<code>${command}</code></li>
`,
)}</ul>`;
  return { id: 'safer', title: 'What would make it safer?', answer: answer(input), body };
}

function answer({ summary, remedies }: ReportInput): Html {
  const best = remedies === null ? undefined : leastGain(remedies);
  if (best !== undefined) {
    return html`Of what was tried, ${label(best.setting)} lowers the gain most: it changes it by ${changeOf(best)} bits a record.`;
  }
  const [risk] = summary.attributeRisk;
  const measured = risk === undefined ? [] : [...risk.variables, ...(risk.continuousVariables ?? [])];
  const most = measured.toSorted((a, b) => b.gainBitsMean - a.gainBitsMean)[0];
  if (most !== undefined) {
    return html`Most of the gain is in ${label(most.variable)}, ${estimate(most, 'gainBitsMean')} bits: a remedy has to change what the release reveals about it.`;
  }
  const scenario = riskiestScenario(summary);
  if (scenario !== undefined) {
    return html`Most is found by whoever knows ${labels([...scenario.known, ...scenario.synthesized])}: a remedy has to make these match less often.`;
  }
  return html`No variable is asked for by itself, so that nothing here tells where the risk comes from.`;
}

function leastGain({ remedies }: Remedies): Remedies['remedies'][number] | undefined {
  return remedies
    .filter(({ name, gainBitsChange }) => name !== null && gainBitsChange !== null)
    .toSorted((a, b) => a.gainBitsChange!.mean - b.gainBitsChange!.mean)[0];
}

/** What became of the gain, with the error of both runs. */
function changeOf({ gainBitsChange }: Remedies['remedies'][number]): Html {
  if (gainBitsChange === null) return html`undefined`;
  return worded(gainBitsChange, 'mean', meanInWords(gainBitsChange));
}

/** How probably a record has a larger likelihood ratio than somebody outside the table, with its error. */
function aucOf({ risk: { file } }: Remedies['remedies'][number]): Html {
  if (file.membership === null) return html`none`;
  return worded(file.membership.auc, 'mean', shareInWords(file.membership.auc));
}

/** How probably a guess comes near a true value of a continuous variable, with its error. */
function nearOf({ risk: { file } }: Remedies['remedies'][number], place: number): Html {
  const { withinAfter } = file.continuousVariables![place]!;
  return withinAfter === null ? html`none` : worded(withinAfter, 'mean', shareInWords(withinAfter));
}

function triedTable({ remedies, scenario }: Remedies): Html {
  const variables = remedies[0]!.risk.file.continuousVariables ?? [];
  const ranked = ['Largest probability of a truth', 'Largest change in probabilities, bits'];
  return labelledTable(
    'tried-caption',
    `What was tried: each a release of its own, the run itself first${scenario === undefined ? '' : `; under the scenario "${scenario}"`}`,
    [
      ...['Remedy', 'Change of the gain, bits', ...(isComparedByRanks(remedies) ? ranked : [])],
      ...[...variables.map(({ variable }) => `Near the value of ${shortened(variable)}`), 'AUC of membership'],
    ],
    remedies.map((own) => [
      ...[label(own.setting), own.name === null ? 'this run' : changeOf(own)],
      ...(isComparedByRanks(remedies) ? [figure(own, 'probabilityMax'), figure(own, 'informationBitsMax')] : []),
      ...[...variables.map((_, place) => nearOf(own, place)), aucOf(own)],
    ]),
  );
}

/** What may be tried of this run, each with the numbers that speak for it. */
function trialsOf({ summary }: ReportInput): Trial[] {
  const { synthesis, attributeRisk } = summary;
  const [risk] = attributeRisk;
  const full = synthesis.kind === 'full';
  const trials: Trial[] = [];
  const propose = (why: Html, command: string) => trials.push({ why, command });
  const fewer = html`Fewer datasets reveal less: this release has ${quantity(synthesis, 'datasets', 'dataset')}.`;
  const isTried = risk !== undefined && (synthesis.chains === 'own' || synthesis.chains === 'one');
  if (isTried) {
    if (synthesis.datasets > 1) {
      propose(fewer, `synthrisk remedies RUN --table TABLE --datasets 1${synthesis.datasets > 2 ? ',2' : ''}`);
    }
    const most = risk.variables.toSorted((a, b) => b.valuesGivenAway - a.valuesGivenAway)[0];
    if (most !== undefined && most.valuesGivenAway > 0) {
      propose(
        html`Fewer categories reveal less: of ${label(most.variable)} ${figure(most, 'valuesGivenAway')} values are newly disclosed. Name the categories that belong together in a file.`,
        'synthrisk remedies RUN --table TABLE --merge merge.yaml',
      );
    }
    const nearest = risk.continuousVariables?.toSorted((a, b) => b.valuesGivenAway - a.valuesGivenAway)[0];
    if (nearest !== undefined && nearest.valuesGivenAway > 0) {
      propose(
        html`A number in bands reveals less: of ${label(nearest.variable)} an intruder comes near ${quantity(nearest, 'valuesGivenAway', 'value')} with more than one half, and did not before. Name where its bands begin.`,
        'synthrisk remedies RUN --table TABLE --breaks NAME=LOWEST,NEXT,NEXT',
      );
    }
  }
  if (!full) {
    const exact = summary.attributeDisclosures?.byVariable.toSorted((a, b) => b.mean - a.mean)[0];
    propose(
      html`Kept variables are what an intruder matches by; more synthesized ones leave less to match. ${exact === undefined ? [] : html`Of ${label(exact.variable)} ${figure(exact, 'mean')} true values came out on average.`}`,
      'synthrisk evaluate TABLE --synthesized MORE,VARIABLES',
    );
    if (!isTried) propose(fewer, 'synthrisk evaluate TABLE --datasets 1');
  }
  // Masking changes continuous variables, of which a table whose cells can be counted has none.
  if (summary.table.cells === null) {
    propose(
      html`Masked microdata are another way to release: what they lose, and how many of their rows are found again, stands beside this.`,
      'synthrisk mask TABLE --method mdav --k 3',
    );
  }
  return trials;
}
