import { runMeasures } from '../../compare/run-measures.ts';
import type { RunFigure } from '../../contracts/results/comparison.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { bracketed } from '../../contracts/settings/named-scenario.ts';

type Figure = Summary['headline'][number];

/** What the figures of a run are found from. */
export type Measured = Pick<Summary, 'attributeRisk' | 'identificationRisk' | 'attributeDisclosures' | 'utility' | 'table' | 'inherent'>;

/** Figures at most. */
const MOST_FIGURES = 10;

/** A pMSE ratio of datasets that chance alone tells from the table. */
const CHANCE_RATIO = 1;

/**
 * The figures that a summary opens with, at most ten, each with its error and what it is to be compared with: of attribute
 * risk and of matching those of the scenario of most risk. What is undefined is left out.
 */
export function headlineOf(summary: Measured): Figure[] {
  const measures = new Map(runMeasures(summary).map(({ name, figure }) => [name, figure]));
  const asked: { name: string; figure: Pick<RunFigure, 'value' | 'se' | 'seReason'> | undefined; baseline: number | null }[] = [];
  const ask = (name: string, baseline: number | null) => asked.push({ name, figure: measures.get(name), baseline });
  const risk = riskiest(summary.attributeRisk);
  if (risk) {
    const at = bracketed('attributeRisk', risk.scenario);
    ask(`${at}.uncertaintyResolved`, 0);
    ask(`${at}.firstGuessRightAfter`, risk.firstGuessRightBefore);
    asked.push({
      name: `${at}.firstGuessRightBefore`,
      figure: { value: risk.firstGuessRightBefore, se: risk.firstGuessRightBeforeSe },
      baseline: risk.commonestShare,
    });
    ask(`${at}.gainBitsMean`, 0);
    ask(`${at}.truthRankedFirstShare`, risk.priorFirstShare);
    ask(`${at}.probabilityMean`, risk.priorProbabilityMean);
  }
  const matched = mostMatched(summary);
  if (matched !== undefined) {
    const least = summary.inherent?.identificationRisk.find(({ scenario }) => scenario === matched);
    ask(`${bracketed('identificationRisk', matched)}.mean.expectedMatchRisk`, least?.expectedMatchRisk.minimum ?? null);
  }
  ask('attributeDisclosures.all.meanShare', null);
  ask('utility.figures.propensityRatioMain', CHANCE_RATIO);
  ask('utility.figures.twoWayTotalVariation', 0);
  return asked
    .flatMap(({ name, figure, baseline }): Figure[] => {
      if (figure === undefined || figure.value === null) return [];
      const { value, se, seReason } = figure;
      return [{ name, value, se, ...(seReason === undefined ? {} : { seReason }), baseline }];
    })
    .slice(0, MOST_FIGURES);
}

/** The scenario of attribute risk that resolves most, or where none asks for values that finds the truth most probable. */
function riskiest(risks: readonly AttributeRiskSummary[]): AttributeRiskSummary | undefined {
  return risks.toSorted(
    (a, b) =>
      Number(b.uncertaintyResolved !== null) - Number(a.uncertaintyResolved !== null) ||
      (b.uncertaintyResolved ?? b.probabilityMean) - (a.uncertaintyResolved ?? a.probabilityMean),
  )[0];
}

/** The scenario under which most records are found by matching. */
function mostMatched({ identificationRisk }: Measured): string | undefined {
  const found = identificationRisk.flatMap((risk) =>
    risk.applies ? [{ scenario: risk.scenario, records: risk.mean.expectedMatchRisk }] : [],
  );
  return found.toSorted((a, b) => b.records - a.records)[0]?.scenario;
}
