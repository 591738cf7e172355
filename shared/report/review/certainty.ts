import { isSimulated } from '../../contracts/config/config.ts';
import type { StoredCalibration } from '../../contracts/results/calibration.ts';
import type { ChainDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import { isRanked, type RankedRisk } from '../../contracts/results/ranked-figures.ts';
import { type AttributeRiskSummary, FEWEST_EFFECTIVE_DRAWS, GOOD_REPRODUCIBILITY, type Summary } from '../../contracts/results/summary.ts';
import { estimate, figure, percent } from '../figures/figure.ts';
import { fact } from '../page/facts.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { calibrationSection } from '../sections/calibration-section.ts';
import { diagnosticsSection } from '../sections/diagnostics-section.ts';

/** A repeat below this orders the records differently. */
const FAIR_REPRODUCIBILITY = 0.8;

/** How sure is all that? */
export async function certaintySection(
  summary: Summary,
  risk: AttributeRiskSummary | null,
  chains: ChainDiagnostics | null,
  calibration: StoredCalibration | null,
): Promise<Section> {
  const simulated = risk !== null && isSimulated(risk.estimator);
  return {
    id: 'sure',
    title: 'How certain are these figures?',
    answer: answer(risk),
    body: simulated ? certainties(risk) : html``,
    parts: [
      ...(simulated ? [{ ...(await diagnosticsSection(summary, chains)), folded: true }] : []),
      ...(calibration ? [await calibrationSection(calibration)] : []),
    ],
  };
}

function answer(risk: AttributeRiskSummary | null): Html {
  if (risk === null) {
    return html`What was matched is counted, not estimated: only other datasets of the same synthesizer would differ, and the spread between those of this release says by how much.`;
  }
  if (!isSimulated(risk.estimator)) {
    return html`Given the release its figures are exact: nothing is simulated, and every Monte Carlo error is 0.`;
  }
  return reproducibility(risk);
}

function reproducibility(risk: AttributeRiskSummary): Html {
  if (risk.reproducibility === null) {
    return html`How well a second evaluation would agree could not be determined${risk.reproducibilityReason === undefined ? '' : `: ${risk.reproducibilityReason}`}.`;
  }
  const correlation = html`(rank correlation ${figure(risk, 'reproducibility')})`;
  if (risk.reproducibility >= GOOD_REPRODUCIBILITY) {
    return html`A second, independent evaluation of the same release would put the records in nearly the same order ${correlation}.`;
  }
  if (risk.reproducibility >= FAIR_REPRODUCIBILITY) {
    return html`A second, independent evaluation of the same release would broadly agree, but the order of single records would change ${correlation}.`;
  }
  return html`A second, independent evaluation of the same release would order the records differently ${correlation}: rely on the file as a whole, not on single records, or run more chains.`;
}

/** How sure ranks are. */
const rankFacts = (risk: RankedRisk): Html =>
  html`${fact('Order of the records', html`the probability of the truth correlates by ${figure(risk, 'reproducibility')} between two evaluations, its rank by ${figure(risk, 'rankReproducibility')}; 1 means that a repeat gives the same order`)}
${fact('Ranks that are settled', distinguishable(risk))}`;

/** The same where numbers alone are guessed at. */
const nearFacts = (risk: AttributeRiskSummary): Html | [] =>
  risk.reproducibility === null
    ? []
    : html`${fact('Order of the records', html`the probability near the true values correlates by ${figure(risk, 'reproducibility')} between two evaluations; 1 means that a repeat gives the same order`)}`;

function certainties(risk: AttributeRiskSummary): Html {
  const { effectiveDrawsMin, paretoKMax } = risk;
  const few =
    risk.estimator === 'importance' && effectiveDrawsMin !== null && effectiveDrawsMin < FEWEST_EFFECTIVE_DRAWS
      ? '. That is too few: such an estimate rests on a handful of draws, often on the one alone that generated the data, and another run may rank the candidates differently'
      : '';
  return html`<dl class="facts">
${isRanked(risk) ? rankFacts(risk) : nearFacts(risk)}
${effectiveDrawsMin === null ? [] : fact('Precision', html`the noisiest expectation behind a record rests on ${figure(risk, 'effectiveDrawsMin')} effective draws${few}`)}
${paretoKMax === null ? [] : fact('Tails', html`the largest Pareto k of a record is ${figure(risk, 'paretoKMax')}; for ${percent(risk, 'heavyTailShare')} of the records it is above ${figure(risk, 'paretoKThreshold')}, where an error may be larger than stated`)}
${fact('Length of the chains', halfLengthInWords(risk))}
</dl>`;
}

/** What half the length of paired chains would have found: of numbers alone it is the gain. */
function halfLengthInWords(risk: AttributeRiskSummary): string | Html {
  const { halfLength, halfLengthReason, rankedReason } = risk;
  if (rankedReason !== undefined && halfLengthReason === rankedReason) {
    return html`paired chains of half the length find a gain of ${figure(risk, 'gainBitsHalfLength')} bits in place of ${estimate(risk, 'gainBitsMean')}`;
  }
  if (halfLength === null) return halfLengthReason ?? 'halves were not scored';
  const apart = halfLength.changeInErrors === null ? [] : html`, ${figure(halfLength, 'changeInErrors')} errors apart`;
  return html`paired chains of half the length give ${figure(halfLength, 'informationBitsMean')} bits in place of ${estimate(risk, 'informationBitsMean')}${apart}`;
}

/** How many ranks the simulation settles. */
function distinguishable(risk: RankedRisk): Html {
  return risk.distinguishableShare === 1
    ? html`the simulation settles the rank of the truth for every record`
    : html`the simulation settles the rank of the truth for ${percent(risk, 'distinguishableShare')} of records; for the others its 90 % interval spans half of the candidates or more, and this page says “not distinguishable” in place of a rank`;
}
