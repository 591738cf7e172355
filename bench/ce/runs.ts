import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { DEFAULT_SWEEP_RADII } from '../../shared/contracts/config/identification-scenario.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { readSummary, runSynthrisk } from '../commands/run-synthrisk.ts';
import { largestRisk, type ReadingMeasures, type RepetitionMeasures, type RuleName, type ScenarioMeasures } from './measures.ts';
import { AGE_RADIUS, KNOWN, READINGS, type Reading, SCENARIOS, VARIABLES } from './scenarios.ts';

/** Intruders of the study, by how they count: the radius of age fixed, swept with the others, or all radii apart. */
const INTRUDERS = {
  fixed: { radius: { Age: AGE_RADIUS }, sweep: { radii: [...DEFAULT_SWEEP_RADII] } },
  swept: { sweep: { radii: [...DEFAULT_SWEEP_RADII] } },
  jointly: { radius: { Age: AGE_RADIUS }, sweep: { radii: [...DEFAULT_SWEEP_RADII], jointly: true } },
} as const satisfies Record<RuleName, object>;

/** Datasets of a release (Hornby & Hu 2021, section 4). */
const DATASETS = 20;

/**
 * Carries the study out by the commands, or reads what of it has finished: a sweep over readings and scenarios, and one
 * run for each reading with the datasets of all repeated releases of the first scenario. Trees are grown from the table
 * alone, so that so many datasets of one run are what so many releases have.
 *
 * @param table path of the survey
 * @param out folder of the runs; it keeps the config files, which anybody may run again
 * @param repetitions releases of the first scenario
 */
export async function studyMeasures(table: string, out: string, repetitions: number): Promise<Readonly<Record<Reading, ReadingMeasures>>> {
  mkdirSync(out, { recursive: true });
  const swept = join(out, 'sweep');
  const config = join(out, 'sweep.yaml');
  writeFileSync(config, stringify(sweepConfig(table)));
  await runSynthrisk(['sweep', '--config', config, '--out', swept, ...UTILITY_OF_MAP, '--resume']);
  const scenarios = readSweep(swept);
  const measures: Partial<Record<Reading, ReadingMeasures>> = {};
  for (const reading of READINGS) {
    const folder = join(out, `repeated-${reading}`);
    const repeated = join(out, `repeated-${reading}.yaml`);
    const atMaximum = {
      fixed: largestRisk(scenarios[reading][0]!, 'fixed').point,
      swept: largestRisk(scenarios[reading][0]!, 'swept').point,
    };
    writeFileSync(repeated, stringify(repeatedConfig(table, reading, atMaximum, repetitions)));
    await runSynthrisk(['evaluate', '--config', repeated, '--out', folder, '--resume']);
    measures[reading] = { scenarios: scenarios[reading], repetitions: repetitionsOf(readSummary(folder)) };
  }
  return measures as Record<Reading, ReadingMeasures>;
}

/** The measure of utility of Hornby & Hu (2021): by main effects. */
const UTILITY_OF_MAP = ['--utility', 'utility.figures.propensityMain'];

/** All readings and scenarios of the study; `sweep` crosses them. */
export function sweepConfig(table: string): object {
  return {
    table,
    variables: VARIABLES,
    synthesis: { datasets: DATASETS },
    identification: Object.entries(INTRUDERS).map(([name, rule]) => ({ name, known: KNOWN, ...rule })),
    utility: { ways: [1, 2], propensity: ['main', 'pairs'] },
    grid: { model: READINGS.map((predictors) => ({ name: 'cart', predictors })), synthesized: SCENARIOS },
  };
}

/** The first scenario at the radii of most risk, with as many datasets as the repeated releases have together. */
export function repeatedConfig(
  table: string,
  reading: Reading,
  atMaximum: Readonly<Record<'fixed' | 'swept', number>>,
  repetitions: number,
): object {
  const [synthesized] = SCENARIOS;
  const at = (rule: 'fixed' | 'swept') => DEFAULT_SWEEP_RADII[atMaximum[rule]]!;
  const radii = (age: number, amount: number) => ({ Age: age, ...Object.fromEntries(synthesized!.map((name) => [name, amount])) });
  return {
    table,
    variables: VARIABLES,
    model: { name: 'cart', predictors: reading },
    synthesis: { datasets: DATASETS * repetitions, synthesized },
    identification: [
      { name: 'fixed', known: KNOWN, radius: radii(AGE_RADIUS, at('fixed')) },
      { name: 'swept', known: KNOWN, radius: radii(at('swept'), at('swept')) },
    ],
    utility: { ways: [1], propensity: ['main'] },
  };
}

/** What a sweep found of every reading and scenario. */
function readSweep(folder: string): Record<Reading, ScenarioMeasures[]> {
  const found = Object.fromEntries(READINGS.map((reading) => [reading, new Array<ScenarioMeasures>(SCENARIOS.length)])) as Record<
    Reading,
    ScenarioMeasures[]
  >;
  for (const name of readdirSync(folder)) {
    const run = join(folder, name);
    // Beside the runs lies the map of them all.
    if (!existsSync(join(run, 'plan.json'))) continue;
    const { reading, scenario } = whatIsSynthesized(run);
    found[reading][scenario] = scenarioMeasures(readSummary(run));
  }
  return found;
}

/** What of the open plan of a run tells which of the sweep's it is. */
const sweptSchema = z.object({
  config: z.object({ model: z.object({ predictors: z.enum(READINGS) }), synthesis: z.object({ synthesized: z.array(z.string()) }) }),
});

/** Which reading and scenario a run in its folder is of. */
function whatIsSynthesized(run: string): { reading: Reading; scenario: number } {
  const { config } = sweptSchema.parse(JSON.parse(readFileSync(join(run, 'plan.json'), 'utf8')));
  const inOrder = (names: readonly string[]) => [...names].sort().join();
  const asked = inOrder(config.synthesis.synthesized);
  const scenario = SCENARIOS.findIndex((names) => inOrder(names) === asked);
  if (scenario < 0) throw new RangeError(`${run} is of no scenario of the study`);
  return { reading: config.model.predictors, scenario };
}

type Matches = Extract<Summary['identificationRisk'][number], { applies: true }>;

function matchesOf({ identificationRisk }: Summary, intruder: string): Matches {
  const found = identificationRisk.find(({ scenario }) => scenario === intruder);
  if (!found?.applies) throw new RangeError(`no matching by the intruder ${intruder}`);
  return found;
}

/** The measures of one run of the sweep; risks are means over records. */
export function scenarioMeasures(summary: Summary): ScenarioMeasures {
  const risks = Object.fromEntries(
    Object.keys(INTRUDERS).map((rule) => {
      const { sweep, records } = matchesOf(summary, rule);
      return [rule, sweep!.points.map((point) => point.expectedMatchRisk.map((sum) => sum / records))];
    }),
  ) as Record<RuleName, number[][]>;
  return { risks, utility: { main: distances(summary, 'main'), pairs: distances(summary, 'pairs') } };
}

/** The measures of repeated releases, each of as many datasets as a release has, in the order of one run's datasets. */
export function repetitionsOf(summary: Summary): RepetitionMeasures[] {
  const risks = (rule: 'fixed' | 'swept') => {
    const { datasets, records } = matchesOf(summary, rule);
    return datasets.map(({ expectedMatchRisk }) => expectedMatchRisk / records);
  };
  const [fixed, swept, utility] = [risks('fixed'), risks('swept'), distances(summary, 'main')];
  return Array.from({ length: fixed.length / DATASETS }, (_, repetition) => {
    const own = (values: readonly number[]) => values.slice(repetition * DATASETS, (repetition + 1) * DATASETS);
    return { fixed: own(fixed), swept: own(swept), utility: own(utility) };
  });
}

/** Propensity score utility of each dataset (Hornby & Hu 2021, eq. 6). */
function distances({ utility }: Summary, terms: 'main' | 'pairs'): number[] {
  const found = utility?.propensity.find((one) => one.terms === terms);
  if (found === undefined) throw new RangeError(`utility by ${terms} was not measured`);
  return found.datasets.map((dataset) => {
    if (dataset === null) throw new RangeError(`utility by ${terms} cannot be told: ${found.reason}`);
    return dataset.pmse;
  });
}
