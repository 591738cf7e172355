import { halfWidth, halfWidthOf } from '../contracts/figure-errors.ts';
import type { Measure, RunFigure } from '../contracts/results/comparison.ts';
import type { IdentificationRiskSummary } from '../contracts/results/identification.ts';
import { MEMBERSHIP_FIGURES } from '../contracts/results/membership.ts';
import { nearestVariable } from '../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../contracts/results/summary.ts';
import type { UtilitySummary } from '../contracts/results/utility.ts';
import { bracketed } from '../contracts/settings/named-scenario.ts';
import { quantile } from '../numeric/quantile.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { studentHalfWidth } from '../numeric/student-t.ts';

/** A measure as one run has it. */
export interface RunMeasure extends Omit<Measure, 'caution'> {
  readonly figure: RunFigure;
  /** What a value is of beside its name, by what it is called: those that two runs have should be equal. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const ONE_DATASET = 'one dataset does not tell how datasets differ';
const NO_ERROR = { se: null, halfWidth: null };
const TOGETHER = 'all datasets together give one figure, whose error is not known';

/**
 * A figure of which every dataset has its own.
 *
 * @param value their mean
 * @param datasets null where one has none
 */
function overDatasets(value: number | null, datasets: readonly (number | null)[]): RunFigure {
  const own = datasets.filter((one) => one !== null);
  const whole = own.length === datasets.length && own.length > 0;
  const sorted = Float64Array.from(own).sort();
  const overAll = standardDeviation(own) / Math.sqrt(own.length);
  return {
    ...(value === null ? { value, reason: 'it is not measured, or undefined' } : { value }),
    ...(whole && own.length > 1
      ? { se: overAll, halfWidth: studentHalfWidth(own.length - 1) * overAll }
      : { se: null, halfWidth: null, seReason: whole ? ONE_DATASET : 'it is undefined for a dataset' }),
    datasets: whole ? own : null,
    spread: whole
      ? {
          least: sorted[0]!,
          lowerQuartile: quantile(sorted, 0.25),
          median: quantile(sorted, 0.5),
          upperQuartile: quantile(sorted, 0.75),
          most: sorted.at(-1)!,
        }
      : null,
  };
}

/** A figure of all datasets together, with the reasons for what is null. */
function ofRelease(
  value: number | null,
  { se, halfWidth }: { readonly se: number | null; readonly halfWidth: number | null },
  reasons: { readonly value?: string | undefined; readonly se?: string | undefined } = {},
): RunFigure {
  return {
    ...(value === null ? { value, reason: reasons.value ?? 'it is not measured, or undefined' } : { value }),
    ...(se === null ? { se, halfWidth, seReason: reasons.se ?? TOGETHER } : { se, halfWidth }),
    datasets: null,
    spread: null,
  };
}

/** Figures of attribute risk that another release would change. */
type Released =
  | 'uncertaintyResolved'
  | 'gainBitsMean'
  | 'firstGuessRightAfter'
  | 'truthRankedFirstShare'
  | 'probabilityMean'
  | 'informationBitsMean'
  | 'privacyLossMax';

/** Attribute risk under one scenario. */
function attributeMeasures(risk: AttributeRiskSummary): RunMeasure[] {
  const { estimator, candidates, candidatesPerCombinationMax, prior, slope, knows } = risk;
  const settings = {
    estimator,
    candidates,
    'number of candidates': candidatesPerCombinationMax,
    prior,
    slope,
    'what the intruder has': knows ?? 'all records but one',
  };
  const measure = (field: string, covers: Measure['covers'], figure: RunFigure): RunMeasure => ({
    name: `${bracketed('attributeRisk', risk.scenario)}.${field}`,
    of: 'risk',
    better: 'smaller',
    covers,
    figure,
    settings,
  });
  const released = (name: Released, reasons: Parameters<typeof ofRelease>[2] = { se: risk.releaseSeReason }) => {
    const errors = { se: risk[`${name}Se` as const], halfWidth: halfWidthOf(risk, name) };
    return measure(name, 'simulation and release', ofRelease(risk[name], errors, reasons));
  };
  const ofMembership = (name: (typeof MEMBERSHIP_FIGURES)[number]) => {
    const { membership, releaseQuantile } = risk;
    const errors = membership
      ? { se: membership[`${name}Se` as const], halfWidth: halfWidthOf({ releaseQuantile, ...membership }, name) }
      : NO_ERROR;
    const figure = ofRelease(membership?.[name] ?? null, errors, { value: risk.membershipReason, se: risk.releaseSeReason });
    return { ...measure(`membership.${name}`, 'simulation and release', figure), settings: { ...settings, others: membership?.others } };
  };
  const ofNearest = (): RunMeasure[] => {
    const nearest = nearestVariable(risk);
    if (nearest === undefined) return [];
    const errors = {
      se: nearest.withinAfterSe,
      halfWidth: halfWidthOf({ releaseQuantile: risk.releaseQuantile, ...nearest }, 'withinAfter'),
    };
    const figure = ofRelease(nearest.withinAfter, errors, { se: risk.releaseSeReason });
    return [
      {
        ...measure('continuousVariables.withinAfter', 'simulation and release', figure),
        settings: { ...settings, 'variable to which an intruder comes nearest': nearest.variable, near: nearest.near },
      },
    ];
  };
  const ranked = { value: risk.rankedReason, se: risk.releaseSeReason };
  const reasons = { value: risk.gainBitsReason, se: risk.gainBitsSeReason };
  const lacked = { ...reasons, value: risk.uncertaintyResolvedReason };
  return [
    released('uncertaintyResolved', lacked),
    released('gainBitsMean', reasons),
    released('firstGuessRightAfter', { ...reasons, value: risk.rankedReason ?? reasons.value }),
    ...ofNearest(),
    released('truthRankedFirstShare', ranked),
    released('probabilityMean', ranked),
    measure(
      'probabilityMax',
      null,
      ofRelease(risk.probabilityMax, NO_ERROR, { value: risk.rankedReason, se: 'the error of a largest value is not known' }),
    ),
    released('informationBitsMean', ranked),
    released('privacyLossMax', { value: risk.privacyLossReason, se: risk.releaseSeReason }),
    ...MEMBERSHIP_FIGURES.map(ofMembership),
  ];
}

/** Figures of identification risk, of which a smaller one is less risk but for the false matches. */
const MATCH_FIGURES = { expectedMatchRisk: 'smaller', trueMatchRate: 'smaller', falseMatchRate: 'larger' } as const;

function identificationMeasures(risk: IdentificationRiskSummary): RunMeasure[] {
  if (!risk.applies) return [];
  const { scenario, known, radii, shape, datasets, mean } = risk;
  const ofVariables = Object.entries(radii).map(([name, radius]) => [`radius of ${name}`, radius]);
  return (Object.keys(MATCH_FIGURES) as (keyof typeof MATCH_FIGURES)[]).map((field) => ({
    name: `${bracketed('identificationRisk', scenario)}.mean.${field}`,
    of: 'risk',
    better: MATCH_FIGURES[field],
    covers: 'datasets',
    figure: overDatasets(
      mean[field],
      datasets.map((one) => one[field]),
    ),
    settings: { 'known variables': known, shape, ...Object.fromEntries(ofVariables) },
  }));
}

function disclosureMeasures({ attributeDisclosures: found }: Pick<Summary, 'attributeDisclosures'>): RunMeasure[] {
  if (found === null) return [];
  const { all, records, synthesized, radii } = found;
  return [
    {
      name: 'attributeDisclosures.all.meanShare',
      of: 'risk',
      better: 'smaller',
      covers: 'datasets',
      figure: overDatasets(
        all.meanShare,
        all.byDataset.map((count) => count / records),
      ),
      settings: { 'synthesized variables': synthesized, radii },
    },
  ];
}

/** One number a dataset of a figure of utility; null for one of all datasets together. */
function utilityByDataset(
  { tables, propensity }: UtilitySummary,
  figure: keyof UtilitySummary['figures'],
): readonly (number | null)[] | null {
  const way = { oneWayTotalVariation: 1, twoWayTotalVariation: 2, threeWayTotalVariation: 3 }[figure as string];
  if (way !== undefined) return tables.find((one) => one.way === way)?.totalVariationByDataset ?? [];
  const [, asked = '', name] = /^propensity(Ratio|RatioFormula)?(Main|Pairs|Tree)$/.exec(figure) ?? [];
  if (name === undefined) return null;
  const field = ({ '': 'pmse', Ratio: 'ratio', RatioFormula: 'ratioFormula' } as const)[asked]!;
  const scores = propensity.find(({ terms }) => terms === name.toLowerCase())?.datasets ?? [];
  return scores.map((score) => score?.[field] ?? null);
}

/**
 * A pMSE ratio by a tree of which every dataset has its own, with the error of the permutations that all of them share: null where a
 * single permutation does not tell it.
 *
 * @param se of the mean, of datasets and permutations together
 */
function withPermutations(figure: RunFigure, se: number | null): RunFigure {
  if (figure.se === null) return figure;
  if (se === null) return { ...figure, ...NO_ERROR, seReason: 'one permutation does not tell how permutations differ' };
  const permutationSe = Math.sqrt(Math.max(0, se * se - figure.se * figure.se));
  return { ...figure, se, halfWidth: halfWidth(permutationSe, figure.se, studentHalfWidth(figure.datasets!.length - 1)) };
}

/** What a figure of utility is taken over. */
function utilitySettings(
  { kind, synthesized, regressions, patterns }: UtilitySummary,
  figure: string,
  { combinations }: Summary['table'],
): RunMeasure['settings'] {
  const always = { 'categories or bands of the table': combinations };
  if (/^propensityRatio(Main|Pairs|Tree)$/.test(figure))
    return { ...always, 'synthesis, full or partial, by which the expected pMSE is found': kind };
  if (figure.startsWith('propensity')) return always;
  if (figure === 'patternDistanceMean') {
    return { ...always, patterns: patterns && [patterns.by, patterns.variables.map(({ of }) => of)] };
  }
  if (figure === 'intervalOverlapMean' || figure === 'standardizedDifferenceMean') {
    return { ...always, regressions: regressions.map(({ formula }) => formula).sort() };
  }
  return { ...always, 'synthesized variables, of which a table or pair has one': [...synthesized].sort() };
}

function utilityMeasures({ utility, table }: Pick<Summary, 'utility' | 'table'>): RunMeasure[] {
  if (utility === null) return [];
  return (Object.keys(utility.figures) as (keyof UtilitySummary['figures'])[]).map((field) => {
    const value = utility.figures[field];
    const datasets = utilityByDataset(utility, field);
    const figure = datasets === null ? ofRelease(value, NO_ERROR) : overDatasets(value, datasets);
    return {
      name: `utility.figures.${field}`,
      of: 'utility',
      better: field === 'intervalOverlapMean' ? 'larger' : 'smaller',
      covers: datasets === null ? null : 'datasets',
      figure: field === 'propensityRatioTree' ? withPermutations(figure, utility.figuresSe[field]) : figure,
      settings: utilitySettings(utility, field, table),
    };
  });
}

/** Everything of a run that can be held against another run, in the order of its summary. */
export function runMeasures(
  summary: Pick<Summary, 'attributeRisk' | 'identificationRisk' | 'attributeDisclosures' | 'utility' | 'table'>,
): RunMeasure[] {
  return [
    ...summary.attributeRisk.flatMap(attributeMeasures),
    ...summary.identificationRisk.flatMap(identificationMeasures),
    ...disclosureMeasures(summary),
    ...utilityMeasures(summary),
  ];
}
