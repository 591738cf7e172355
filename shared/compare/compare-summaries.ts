import { InvalidConfigError } from '../contracts/errors.ts';
import type { ComparedRun, Comparison, Measure, RunFigure } from '../contracts/results/comparison.ts';
import type { Summary } from '../contracts/results/summary.ts';
import { withoutScenario } from '../contracts/settings/named-scenario.ts';
import { type RunMeasure, runMeasures } from './run-measures.ts';

/** A finished run that is held against others of its table. */
export interface RunToCompare {
  /** What it is called; no two have the same. */
  readonly name: string;
  readonly summary: Summary;
  /**
   * What its random numbers are from, as text: runs that share it have errors in common. Null where nobody knows it any more,
   * and runs are taken to be independent.
   */
  readonly randomness: string | null;
}

/** Measures of a map that a person names. */
export interface AskedMap {
  readonly risk?: string;
  readonly utility?: string;
}

/** Ends of names of measures, in the order in which the axis of a map is taken from those that all runs have. */
const AXES = {
  risk: ['.gainBitsMean', '.expectedMatchRisk', '.probabilityMean', '.meanShare'],
  utility: ['.propensityPairs', '.propensityMain', '.propensityTree', '.twoWayTotalVariation'],
} as const;

/**
 * Holds runs against each other.
 *
 * @param runs two at least, of one table
 * @param asked measures of the map
 * @throws InvalidConfigError `unknown-measure` where not all runs have one of them, or several measures have that name
 */
export function compareSummaries(runs: readonly RunToCompare[], asked: AskedMap, version: string): Comparison {
  const measured = runs.map(({ summary }) => runMeasures(summary));
  const measures = commonMeasures(measured);
  const compared = runs.map(({ name, summary }, index): ComparedRun => {
    const figuresOf = (of: Measure['of']) =>
      Object.fromEntries(measured[index]!.filter((one) => one.of === of).map((one) => [one.name, one.figure]));
    return {
      runId: summary.runId,
      name,
      model: summary.model.name,
      datasets: summary.synthesis.datasets,
      kind: summary.synthesis.kind,
      synthesized: summary.synthesis.synthesized,
      risk: figuresOf('risk'),
      utility: figuresOf('utility'),
    };
  });
  const risk = chooseAxis(compared, measures, 'risk', asked.risk);
  const utility = chooseAxis(compared, measures, 'utility', asked.utility);
  const differences = differencesOf(runs, compared, measures);
  const found = { version, runs: compared, measures };
  if (risk === undefined || utility === undefined) {
    const lacking = risk === undefined ? 'risk' : 'utility';
    const mapReason = `There is no measure of ${lacking} that all of these runs have.${lacking === 'risk' && namesScenarios(measured) ? ' Scenarios are matched by their names: give the same intruder the same name in all runs.' : ''}`;
    return { ...found, map: null, mapReason, dominated: [], differences };
  }
  const map = { risk, utility };
  return { ...found, map, dominated: dominatedRuns(compared, measures, map, differences), differences };
}

/** Whether runs without a measure of risk in common have one but for the names of its scenarios, `attributeRisk["name"]`. */
function namesScenarios([first = [], ...others]: readonly (readonly RunMeasure[])[]): boolean {
  const figuresOf = (own: readonly RunMeasure[]) => own.filter(({ of }) => of === 'risk').map(({ name }) => name.replace(/\[".*"\]/, ''));
  return figuresOf(first).some((figure) => others.every((own) => figuresOf(own).includes(figure)));
}

/** The figure of a run by the name of its measure; undefined where it has none. */
const figureOf = ({ risk, utility }: ComparedRun, name: string): RunFigure | undefined => risk[name] ?? utility[name];

/**
 * The measure that an axis of the map shows, of those that all runs have: the one that is asked for, whose scenario need not be named where
 * one alone has it, or else the first.
 */
function chooseAxis(
  runs: readonly ComparedRun[],
  measures: readonly Measure[],
  of: Measure['of'],
  asked: string | undefined,
): string | undefined {
  const names = measures
    .filter((one) => one.of === of && runs.every((run) => (figureOf(run, one.name)?.value ?? null) !== null))
    .map(({ name }) => name);
  if (asked !== undefined) {
    const meant = names.includes(asked) ? [asked] : names.filter((name) => withoutScenario(name) === asked);
    if (meant.length === 1) return meant[0];
    throw new InvalidConfigError(
      'unknown-measure',
      names.length === 0
        ? `There is no measure of ${of} that all of these runs have: leave out --${of}.`
        : `--${of} names ${meant.length === 0 ? 'no measure' : 'several measures'} that all of these runs have: expected one of ${(meant.length === 0 ? names : meant).join(', ')}.`,
    );
  }
  for (const end of AXES[of]) {
    const found = names.find((name) => name.endsWith(end));
    if (found !== undefined) return found;
  }
  return names[0];
}

/** The measures that two runs have at least, in the order in which they first come. */
function commonMeasures(measured: readonly (readonly RunMeasure[])[]): Measure[] {
  const all = new Map<string, RunMeasure[]>();
  for (const own of measured) {
    for (const one of own) all.set(one.name, [...(all.get(one.name) ?? []), one]);
  }
  const ofRisk = (one: Measure) => (one.of === 'risk' ? 0 : 1);
  return [...all.values()]
    .filter((ones) => ones.length > 1)
    .map((ones) => {
      const { name, of, better, covers } = ones[0]!;
      const differing = differingSettings(ones);
      return { name, of, better, covers, ...(differing.length === 0 ? {} : { caution: `The runs differ in: ${differing.join('; ')}.` }) };
    })
    .sort((a, b) => ofRisk(a) - ofRisk(b));
}

/** What of the settings of a measure is not the same in all runs that have it. */
function differingSettings(ones: readonly RunMeasure[]): string[] {
  const names = new Set(ones.flatMap(({ settings }) => Object.keys(settings)));
  return [...names].filter((name) => {
    const values = ones.flatMap(({ settings }) => (name in settings ? [JSON.stringify(settings[name])] : []));
    return new Set(values).size > 1;
  });
}

/** Of every two runs, the later less the earlier, in every measure that both have. */
function differencesOf(
  runs: readonly RunToCompare[],
  compared: readonly ComparedRun[],
  measures: readonly Measure[],
): Comparison['differences'] {
  return measures.flatMap(({ name, covers }) =>
    compared.flatMap((a, i) =>
      compared.slice(i + 1).flatMap((b, offset) => {
        const [own, other] = [figureOf(a, name), figureOf(b, name)];
        if (own === undefined || other === undefined || own.value === null || other.value === null) return [];
        const { randomness } = runs[i]!;
        const shared = randomness !== null && randomness === runs[i + 1 + offset]!.randomness;
        return [{ measure: name, a: a.name, b: b.name, difference: other.value - own.value, ...errorOf(own, other, shared), covers }];
      }),
    ),
  );
}

/** The error of a difference of two runs with random numbers of their own. */
function errorOf(a: RunFigure, b: RunFigure, shared: boolean): Pick<RunFigure, 'se' | 'seReason' | 'halfWidth'> {
  if (shared) {
    return { se: null, halfWidth: null, seReason: 'the runs have the same release key and seed, and so errors in common' };
  }
  if (a.se === null || b.se === null) return { se: null, halfWidth: null, seReason: (a.se === null ? a : b).seReason! };
  const both = (one: number, other: number) => Math.sqrt(one * one + other * other);
  // Every part keeps the quantile that it has by itself (Banerjee 1960).
  return { se: both(a.se, b.se), halfWidth: both(a.halfWidth!, b.halfWidth!) };
}

/**
 * The runs that another one dominates: which has no more risk and no less utility by the measures of a map, and one of them
 * better. Estimates decide; whether errors could have done it is stated of each.
 *
 * @param map names of measures that all runs have
 * @param differences of every two runs
 */
function dominatedRuns(
  runs: readonly ComparedRun[],
  measures: readonly Measure[],
  map: NonNullable<Comparison['map']>,
  differences: Comparison['differences'],
): Comparison['dominated'] {
  const axes = [map.risk, map.utility].map((name) => measures.find((one) => one.name === name)!);
  /** How much better the second is than the first on an axis, with half of its 95 % interval. */
  const gain = (first: ComparedRun, second: ComparedRun, { name, better }: Measure) => {
    const forward = differences.find((d) => d.measure === name && d.a === first.name && d.b === second.name);
    const found = forward ?? differences.find((d) => d.measure === name && d.a === second.name && d.b === first.name)!;
    const sign = (forward ? 1 : -1) * (better === 'smaller' ? -1 : 1);
    return { gain: sign * found.difference, halfWidth: found.halfWidth };
  };
  return runs.flatMap((run) => {
    const by = runs
      .filter((other) => other !== run)
      .flatMap((other) => {
        const gains = axes.map((measure) => gain(run, other, measure));
        if (gains.some((one) => one.gain < 0) || gains.every((one) => one.gain === 0)) return [];
        const beyondErrors = gains.some((one) => one.halfWidth !== null && one.gain > one.halfWidth);
        return [{ run: other.name, beyondErrors }];
      });
    return by.length === 0 ? [] : [{ run: run.name, by }];
  });
}
