import type { PrivacyEvaluation } from '../contracts/results/differential-privacy.ts';
import { renderFigure } from './charts/figure.ts';
import { type PriorCurve, relativeAgainstAbsoluteChart, riskAgainstUtilityChart } from './charts/privacy-charts.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { expectedIncreaseSection } from './sections/expected-increase-section.ts';
import { formatQuantity, formatSetting } from './words/format-number.ts';

type EvaluatedScenario = PrivacyEvaluation['scenarios'][number];

/** The scenarios of one population, and the curves of their pairs, in the same order. */
interface Population {
  readonly p0: number;
  readonly scenarios: readonly EvaluatedScenario[];
  readonly curves: readonly PriorCurve[];
}

/**
 * The page of `dp evaluate`: one HTML file, which tells of simulated tables alone. Equal input gives equal bytes.
 *
 * @param curvesOf the risks of every pair of a scenario under all priors
 */
export async function renderPrivacy(
  evaluation: PrivacyEvaluation,
  curvesOf: (scenario: EvaluatedScenario) => readonly PriorCurve[],
): Promise<string> {
  const { scenarios, replicates } = evaluation;
  const p0s = [...new Set(scenarios.map(({ p0 }) => p0))];
  const sections: Section[] = [];
  for (const [index, p0] of p0s.entries()) {
    const own = scenarios.filter((scenario) => scenario.p0 === p0);
    sections.push(await populationSection({ p0, scenarios: own, curves: own.flatMap(curvesOf) }, index + 1, p0s.length));
  }
  // All are of as many records.
  const [n] = scenarios.map((scenario) => scenario.n);
  return renderPage({
    title: 'Differential privacy and probabilistic risk',
    confidentiality: null,
    heading: 'What epsilon promises, and what an intruder learns',
    subtitle: `${formatQuantity(replicates, 'pair')} of table and dataset for each epsilon, ${formatQuantity(n!, 'record')} each, simulated`,
    sections: [...sections, expectedIncreaseSection(evaluation), readingSection()],
    run: evaluation,
  });
}

async function populationSection({ p0, scenarios, curves }: Population, place: number, populations: number): Promise<Section> {
  const utility = await renderFigure({
    title: `Figure ${place}. Absolute risk and utility`,
    chart: riskAgainstUtilityChart(scenarios),
    caption:
      'Each mark is a simulated table with a synthetic dataset of it. At the prior probability the intruder has learnt nothing; to the right the dataset serves worse. In another colour: tables without a 1, where the risk is that of a record with the value 0.',
  });
  const priors = await renderFigure({
    title: `Figure ${populations + place}. Relative and absolute risk under every prior`,
    chart: relativeAgainstAbsoluteChart(curves),
    caption:
      'Each line is one of these pairs, from a prior near 0 at its left end to one near 1 at its right. A relative risk above 1 says that the dataset made the true value more probable. Dashed: tables without a 1.',
  });
  return {
    id: `population-${place}`,
    title: `A population with p0 = ${formatSetting(p0)}`,
    body: html`<div class="figures-grid">${utility}${priors}</div>`,
  };
}

function readingSection(): Section {
  return {
    id: 'reading',
    title: 'What the numbers do not mean',
    body: html`
<ul>
<li><strong>Not a guarantee for these datasets alone.</strong> Epsilon bounds what any record can change in the probability of any dataset; risk is of one record in one dataset, and depends on the table.</li>
<li><strong>Not of numbers as a computer draws them.</strong> The statement is of the exact distribution. Rounding and the random numbers of a program are outside of it.</li>
<li><strong>Not of the table’s size or categories.</strong> Both are taken to be public.</li>
</ul>`,
  };
}
