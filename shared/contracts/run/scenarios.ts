import { type Candidates, scoresCells } from '../candidates.ts';
import { lesserPhi, type Prior, priorFiles } from '../config/config.ts';
import type { Knowledge } from '../config/knowledge.ts';
import { InvalidConfigError } from '../errors.ts';
import type { Plan } from './plan.ts';

/** One intruder of a run, as its plan has them: opened once, passed on, and never written back into a config. */
export interface Scenario {
  /** The run that it is of. */
  readonly runId: string;
  /** Its place among the scenarios of the run, from 1. */
  readonly number: number;
  readonly name: string;
  /** What the intruder considers. */
  readonly candidates: Candidates;
  /** What the intruder believes of the candidates before the release. */
  readonly prior: Prior;
  /** The records that the intruder has, who otherwise has all but one. */
  readonly knows: Knowledge | undefined;
  /**
   * How the intruder's candidates are scored.
   */
  readonly phi: Plan['config']['attributeRisk']['phi'];
  /** Candidates of a combination; 0 where there is no attribute risk. */
  readonly candidatesPerCombination: number;
  /** Files of priors of the scenarios before this one. */
  readonly priorFilesBefore: number;
  /** The batches in which its rows are assessed. */
  readonly batches: Plan['batches'];
}

/** The scenarios of a run, in their order. */
export function openScenarios({ runId, config, scenarioCandidates, batches }: Plan): Scenario[] {
  let priorFilesBefore = 0;
  return config.attributeRisk.scenarios.map(({ name, candidates, prior, knows }, s) => {
    const scenario: Scenario = {
      runId,
      number: s + 1,
      name,
      candidates,
      prior,
      knows,
      priorFilesBefore,
      phi: knows === undefined ? config.attributeRisk.phi : lesserPhi(config),
      candidatesPerCombination: scenarioCandidates[s] ?? 0,
      batches: batches.filter((batch) => batch.scenario === s + 1),
    };
    priorFilesBefore += priorFiles(prior).length;
    return scenario;
  });
}

/** One of them, by its number (from 1). Throws RangeError when the run has no scenario of that number. */
export function openScenario(plan: Plan, number: number): Scenario {
  const scenario = openScenarios(plan)[number - 1];
  if (scenario === undefined) throw new RangeError(`the run has no scenario ${number}`);
  return scenario;
}

/** Sets of values of a row: of every synthesized variable, or of the unknown ones by themselves and together. */
export function valueSets({ config, table }: Plan, { candidates }: Scenario): number {
  const { synthesized } = config.synthesis;
  if (scoresCells(candidates)) return 0;
  if (typeof candidates === 'string') return synthesized === 'all' ? table.variables : synthesized.length;
  return candidates.unknown.length === 1 ? 1 : candidates.unknown.length + 1;
}

/** The number (from 1) of the scenario of that name (InvalidConfigError `no-such-scenario`); of the first where none is named. */
export function scenarioNumber({ config, runId }: Plan, name: string | undefined): number {
  if (name === undefined) return 1;
  const { scenarios } = config.attributeRisk;
  const place = scenarios.findIndex((scenario) => scenario.name === name);
  if (place >= 0) return place + 1;
  throw new InvalidConfigError(
    'no-such-scenario',
    `The run ${runId} has no scenario of that name; it has ${scenarios.length}, which its summary names.`,
  );
}
