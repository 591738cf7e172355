import type { ChainDiagnostics, QuantityDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import { CHART_COLOURS, type Chart, dot, layer, numbers, rule } from '../charts/chart.ts';
import { renderFigure } from '../charts/figure.ts';
import { count, figure, quantity, supportedBy } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { framedTable } from '../page/table.ts';
import { formatCount, formatFigure, formatQuantity } from '../words/format-number.ts';

const QUANTITY_IN_WORDS: Readonly<Record<QuantityDiagnostics['quantity'], string>> = {
  alpha: 'Concentration alpha',
  occupiedClasses: 'Occupied classes',
  logLikelihood: 'Log-likelihood',
};

/** Whether the simulation behind the risks can be trusted, as far as the chains tell. */
export async function diagnosticsSection(summary: Summary, chains: ChainDiagnostics | null): Promise<Section> {
  const body =
    chains === null
      ? html`<p>This run kept no diagnostics of its chains.</p>`
      : html`
<p>${quantity(chains, 'chains', 'base chain')} of ${quantity(chains, 'drawsPerChain', 'kept draw')} each, after
${quantity(chains, 'burnIn', 'discarded iteration')}; one draw in ${count(chains, 'thin')} kept.</p>
${framedTable(
  'diagnostics-caption',
  'Agreement of the chains',
  html`<tr><th scope="col">Quantity</th><th scope="col">Mean</th><th scope="col">Standard deviation</th><th scope="col">R-hat</th>
<th scope="col">Effective size, bulk</th><th scope="col">Effective size, tail</th></tr>`,
  chains.quantities.map(quantityRow),
)}
<p>R-hat compares the spread between chains with the spread inside them; 1 means that they agree. The effective sizes say how many
independent draws the chains are worth, for the middle (bulk) and the extremes (tail) of the distribution.</p>
<p><strong>R-hat of the log-likelihood is not expected to reach 1.01.</strong> A chain stays in the mode, that is the division of the records into
classes, that it fell into, however long it runs. This is a property of the model, and the estimator allows for it: the synthesizer as run is a
mode taken at random, then draws within it. So burn-in and the length of paired chains are part of the synthesizer that is judged, an R-hat of 1.3
to 1.6 is expected, and it is no verdict. What matters is whether the risk itself is reproducible (see the
<a href="#sure">reproducibility</a>) and whether the probabilities achieve the information that they claim.</p>
<div class="figures-grid">
${await alphaFigure(chains)}
${await occupiedClassesFigure(summary, chains)}
</div>`;
  const [rHat] = (chains?.quantities ?? []).filter(({ quantity: of }) => of === 'alpha');
  return {
    id: 'diagnostics',
    title: 'Do the chains agree?',
    ...(rHat === undefined
      ? {}
      : { answer: html`The R-hat of the concentration is ${figure(rHat, 'rHat')}, where 1 means that the chains agree.` }),
    body,
  };
}

function quantityRow(diagnostics: QuantityDiagnostics): Html {
  const { standardDeviation, bulkEffectiveSize } = diagnostics;
  const meanSe = bulkEffectiveSize === null ? null : standardDeviation / Math.sqrt(bulkEffectiveSize);
  return html`<tr><th scope="row">${QUANTITY_IN_WORDS[diagnostics.quantity]}</th>
<td>${meanSe === null ? figure(diagnostics, 'mean') : supportedBy(diagnostics, 'mean', meanSe)}</td>
<td>${figure(diagnostics, 'standardDeviation')}</td>
<td>${figure(diagnostics, 'rHat')}</td>
<td>${figure(diagnostics, 'bulkEffectiveSize')}</td>
<td>${figure(diagnostics, 'tailEffectiveSize')}</td></tr>
`;
}

function alphaFigure({ quantities }: ChainDiagnostics): Promise<Html> | [] {
  const alpha = quantities.find(({ quantity }) => quantity === 'alpha');
  if (alpha === undefined || alpha.standardDeviation === 0) return [];
  const { mean, chainMeans } = alpha;
  return renderFigure({
    title: 'Alpha, chain by chain',
    chart: chainDotsChart(
      chainMeans,
      'Mean of alpha',
      mean,
      `Mean of alpha in each of ${formatQuantity(chainMeans.length, 'chain')}, from ${formatFigure(Math.min(...chainMeans))} to ${formatFigure(Math.max(...chainMeans))}; ${formatFigure(mean)} over all chains.`,
    ),
    legend: { mark: 'Mean of one chain', reference: 'Mean of all chains' },
    caption: 'A chain left far from the others has not mixed its labels, and its risks are suspect.',
  });
}

function occupiedClassesFigure(summary: Summary, { occupiedClassesMax }: ChainDiagnostics): Promise<Html> {
  const { classes } = summary.model;
  if (classes === null) throw new RangeError('a model without classes has none to occupy');
  return renderFigure({
    title: 'Occupied classes, chain by chain',
    chart: chainDotsChart(
      occupiedClassesMax,
      'Most classes occupied at once',
      classes,
      `Most classes occupied at once in each of ${formatQuantity(occupiedClassesMax.length, 'chain')}: ${formatCount(Math.max(...occupiedClassesMax))} at most, of ${formatCount(classes)} available.`,
    ),
    legend: { mark: 'Most classes that one chain occupied', reference: 'Classes available' },
    caption: 'Dots that touch the line mean that the model needed more classes than it was given: run it again with more.',
  });
}

/** A dot for the value of each chain, in their order, against a level that it is judged by: one that differs stands out. */
function chainDotsChart(values: readonly number[], quantity: string, reference: number, label: string): Chart {
  const y = numbers(quantity, { scale: { zero: true } });
  const x = numbers('Chain', {
    scale: { domainMin: 0, domainMax: values.length + 1, nice: false },
    axis: { tickMinStep: 1, tickCount: 8 },
  });
  return {
    table: { heads: ['Chain', quantity], rows: values.map((value, index) => [String(index + 1), formatFigure(value)]) },
    label,
    spec: {
      data: { values: values.map((value, index) => ({ chain: index + 1, value })) },
      layer: [
        layer([{ reference }], rule(CHART_COLOURS.reference, 2), { y: y('reference') }),
        { mark: dot(CHART_COLOURS.mark, 55), encoding: { x: x('chain'), y: y('value') } },
      ],
    },
  };
}
