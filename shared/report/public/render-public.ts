import { namesInWords } from '../../contracts/in-command.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { PublicSummary } from '../../contracts/release/public-summary.ts';
import { type Html, html } from '../page/html.ts';
import { renderPage } from '../page/page.ts';
import type { Section } from '../page/section.ts';
import { formatCount, formatQuantity, formatSetting } from '../words/format-number.ts';
import { radiusInWords } from '../words/identification-in-words.ts';
import { figuresTable, type PublicRow, publicPercent, publicPoints } from './figures-table.ts';

/** What an intruder weighs up, as the config has it, in words. */
function candidatesInWords(candidates: string): string {
  if (candidates === 'one-change') return 'every value of one variable, the others known';
  if (candidates === 'two-changes') return 'every value of two variables, the others known';
  return candidates.replace(/^unknown: /, 'every value of ');
}

/**
 * The page that an agency may print: one HTML file with its style inside, which tells what {@link PublicSummary} holds and
 * nothing else of the table. Equal input gives equal bytes.
 */
export function renderPublic(summary: PublicSummary): Promise<string> {
  const { table, synthesis, version } = summary;
  return renderPage({
    title: 'Disclosure risk and quality of the synthetic data',
    confidentiality: null,
    heading: 'What the synthetic data reveal about the people behind them',
    subtitle: `${formatQuantity(synthesis.datasets, 'synthetic dataset')} of ${formatQuantity(table.records, 'record')} on ${formatQuantity(table.variables, 'variable')}`,
    sections: [
      madeSection(summary),
      ...riskSections(summary),
      ...membershipSection(summary),
      qualitySection(summary),
      noiseSection(summary),
    ],
    run: { version },
  });
}

function madeSection({ model, synthesis, table }: PublicSummary): Section {
  const which =
    synthesis.kind === 'full'
      ? 'All variables are synthetic: rows are drawn from the model and belong to nobody, though one can equal a person’s record.'
      : `The variables ${namesInWords(synthesis.synthesized)} are synthetic; the others are as they were collected, and each row belongs to a record.`;
  const epsilon =
    model.epsilon === undefined
      ? []
      : html`<p>All datasets together are differentially private with ε = ${formatSetting(model.epsilon)}, for anybody who knows how many records there are and which values they can have. The smaller ε is, the more that promises.</p>`;
  return {
    id: 'made',
    title: 'How the data were made',
    body: html`<p>The datasets were drawn from ${factsOf(model).inWords}, fitted to a confidential table of ${formatCount(table.records)} records. ${which}</p>
${epsilon}`,
  };
}

function riskSections({ attributeRisk, identificationRisk, exactDisclosureShare, synthesis }: PublicSummary): Section[] {
  const scale = '0: nobody in this way; 100 %: everybody';
  const rows = identificationRisk.flatMap(({ known, synthesized, radii, expectedMatchShare, trueMatchRate }): PublicRow[] => {
    const who = matcherInWords(known, synthesized, radii);
    return [
      [`Share of people found by ${who}, expected where they pick one of the rows that match`, publicPercent(expectedMatchShare), scale],
      [`Share of people whose row is the only one that matches, for ${who}`, publicPercent(trueMatchRate), scale],
    ];
  });
  if (synthesis.kind === 'partial') {
    const meaning = 'Share of people all of whose synthetic values are the true ones, or near enough';
    rows.push([meaning, publicPercent(exactDisclosureShare), '0: of nobody; 100 %: of everybody']);
  }
  const guesses = {
    id: 'guesses',
    title: 'What could be guessed of a person',
    body: html`${attributeRisk.map(guessedUnder)}
<p class="note">The probabilities are means over all people and variables of what such an intruder gives to the true value, by the model with which the data were made. What they can guess without the data is no fault of the data: the difference is what the data add. Where the errors are as large as the difference, the page has a bound in place of the probability with the data. A bound says that the data may add as much; it does not say that they add nothing.</p>`,
  };
  const found = { id: 'found', title: 'Who could be found', body: figuresTable('found-figures', 'Means over the datasets', rows) };
  return [...(attributeRisk.length === 0 ? [] : [guesses]), ...(rows.length === 0 ? [] : [found])];
}

function guessedUnder(risk: PublicSummary['attributeRisk'][number]): Html {
  const { scenario, candidates, knows, probabilityTrueBefore, probabilityTrueAfter, probabilityTrueAdded } = risk;
  const scale = '100 % divided by the categories: a blind guess; 100 %: certainty';
  const added: PublicRow = ['What the synthetic data add to it', publicPoints(probabilityTrueAdded), '0: nothing'];
  const withThem: PublicRow = ['Probability of the true value with them', publicPercent(probabilityTrueAfter), scale];
  // Of a difference that noise hides there is a bound alone: beside each other the two figures could say that data protect.
  const told = probabilityTrueAdded.value === null ? [added] : [withThem, added];
  return figuresTable(
    `guesses-${scenario}`,
    `Intruder ${scenario}, who has ${knows}, knows how the data were made, and considers ${candidatesInWords(candidates)}`,
    [
      ['Probability of the true value without the synthetic data', publicPercent(probabilityTrueBefore), scale],
      ...(probabilityTrueAdded.atMost === null ? [withThem] : told),
    ],
  );
}

function matcherInWords(
  known: readonly string[],
  synthesized: readonly string[],
  radii: PublicSummary['identificationRisk'][number]['radii'],
): string {
  const near = Object.entries(radii).map(([name, radius]) => `${name} within ${radiusInWords(radius)}`);
  const knows = known.length === 0 ? [] : [`knows ${namesInWords(known)}`];
  const values = synthesized.length === 0 ? [] : [`the true values of ${namesInWords(synthesized)}`];
  return `somebody who ${[...knows, ...values].join(' and ') || 'knows nothing of them'}${near.length === 0 ? '' : ` (${near.join(', ')})`}`;
}

function membershipSection({ membershipTested }: PublicSummary): Section[] {
  if (!membershipTested) return [];
  const body = html`<p>It was tested whether somebody could tell from the synthetic data who is in the confidential table. The figures of this test stay confidential: it is not known how far one person moves them.</p>`;
  return [{ id: 'membership', title: 'Who is in the table', body }];
}

function qualitySection({ oneWayTotalVariation, twoWayTotalVariation }: PublicSummary): Section {
  const scale = '0: the tables are equal; 100 %: no record is in its cell';
  return {
    id: 'quality',
    title: 'How well the data serve',
    body: figuresTable('quality-figures', 'Tables of counts, synthetic beside confidential: means over tables and datasets', [
      ['Share of records that would have to move to another cell of a table of one variable', publicPercent(oneWayTotalVariation), scale],
      ['The same of tables of two variables', publicPercent(twoWayTotalVariation), scale],
    ]),
  };
}

function noiseSection({ noise: { numbers, nats }, table: { records } }: PublicSummary): Section {
  return {
    id: 'noise',
    title: 'How to read the figures',
    body: html`<p>After the sign ± stands one standard error, rounded up; a figure has no more digits than it supports. A figure of less than two errors is printed as a bound, three errors above it: it is too small for the noise, which is not to say that it is zero. Ninety-nine bounds in a hundred hold. The error holds noise that was added on purpose, to limit what somebody learns of a person by comparing this page with what it would have been, had that person answered otherwise. The noise follows from the number of records (${formatCount(records)}) and of figures (${formatCount(numbers)}, counting errors) alone, and from a secret key.</p>
<p>Where no figure moves with one person by more than is assumed, the page as a whole changes the odds of two answers of a person by a factor of at most ${formatSetting(Math.exp(nats))}. For shares of people and of counts that is proven; for mean probabilities it was tried on some tables, and not proven. It is a statement on this page, and not on the synthetic data.</p>
<p>The page has no figure of single people or small groups, no largest value and no verdict.</p>`,
  };
}
