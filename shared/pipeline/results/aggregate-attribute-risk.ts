import { contextOfScenario, readRunModel, type ScenarioModel } from '../../artifacts/run-context.ts';
import { encodeCheckedJson } from '../../artifacts/stored-json.ts';
import { readCellParts, readFigureParts, readFileRows } from '../../artifacts/stored-part.ts';
import { below, type Parts, rowsOf, writeParts, writeTable } from '../../artifacts/write-table.ts';
import { scoresCells } from '../../contracts/candidates.ts';
import { lesserKnowledge } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { ChainDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import { RECONSTRUCTION } from '../../contracts/results/reconstruction/reconstruction-table.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { ATTRIBUTE_RISK, emptyFigures, type RiskRows } from '../../contracts/results/tables/attribute-risk-table.ts';
import { CONTINUOUS_RISK } from '../../contracts/results/tables/continuous-risk-table.ts';
import { VARIABLE_RISK, type ValueRows } from '../../contracts/results/tables/variable-risk-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Judgement } from '../../contracts/run/round.ts';
import { openScenarios } from '../../contracts/run/scenarios.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';
import { askedMarginals } from '../../risk/cells/subset-marginals.ts';
import { shapeThreshold } from '../../risk/scoring/weight-tails.ts';
import type { Store } from '../../storage/store.ts';
import { methodOf } from '../methods/methods.ts';
import type { SummarizedRows } from '../methods/risk-method.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';
import { readJudgements } from '../rounds/stored-round.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { GUESSES, guessRows, MARGINALS, marginalRows } from '../tables/cell-tables.ts';
import { CONTROL_MEMBERSHIP, controlRows } from '../tables/control-table.ts';
import { reconstructTable } from '../tables/reconstruction-table.ts';
import { attributeRiskRows, candidateNumbers } from '../tables/risk-tables.ts';
import { riskUnits } from './closing-units.ts';
import { diagnoseChains } from './diagnose-chains.ts';
import { riskWarnings } from './risk-warnings.ts';
import { stateRisk } from './state-risk.ts';
import { openValues, rowCounts, type ScenarioValues } from './variable-figures.ts';

/** Attribute risk of a run, and what it rests on. */
export interface AttributeRiskResults {
  readonly risks: readonly AttributeRiskSummary[];
  /** Null where there are no chains. */
  readonly diagnostics: ChainDiagnostics | null;
  readonly rounds: readonly Judgement[];
  readonly warnings: readonly Warning[];
}

/**
 * Puts the parts of a run's attribute risk together: its tables, its figures and the diagnostics of its chains. `onUnits` hears of
 * `riskUnits` of each scenario.
 */
export async function aggregateAttributeRisk(store: Store, runId: string, onUnits: OnUnits): Promise<AttributeRiskResults> {
  const keys = runKeys(runId);
  const whole = await readRunModel(store, runId);
  const { plan } = whole;
  const rounds = await readJudgements(store, runId);
  const { chains, pairedChains, round } = rounds.at(-1)!;
  const { chains: model } = synthesizerOf(plan.config);
  const paretoKThreshold = shapeThreshold(model ? fewestDraws(plan, { chains, pairedChains }) : Infinity);
  const diagnostics = model && (await diagnoseChains(store, plan, model, chains));
  if (diagnostics) await store.put(keys.chains, encodeCheckedJson(diagnostics));
  const risks: AttributeRiskSummary[] = [];
  const tables: Parts<RiskRows>[] = [];
  const control: Awaited<ReturnType<typeof controlRows>>[] = [];
  const scenarios = await Promise.all(
    openScenarios(plan).map(async ({ number }) => {
      const context = contextOfScenario(whole, number);
      const method = methodOf(plan.config, context.scenario);
      const beside = (await method.readBeside?.(store, context, round)) ?? null;
      const units = riskUnits(plan, context.scenario);
      return { context, method, beside, units, values: await openValues(store, context, round, beside) };
    }),
  );
  const figuresOf = await writeValues(store, runId, scenarios, onUnits);
  const reconstruction = await reconstructTable(store, whole, { chains, pairedChains });
  if (reconstruction) await writeTable(store, runId, RECONSTRUCTION, reconstruction.rows);
  for (const opened of scenarios) {
    const { context, method, beside, units } = opened;
    const { scenario } = context;
    const figures = figuresOf(opened);
    const rows = {
      beside,
      round,
      risk: await readFileRows(store, scenario, round),
      counts: rowCounts(context),
      candidates: candidateNumbers(context) ?? scenario.candidatesPerCombination,
      paretoKThreshold,
      values: figures,
    };
    risks.push(stateRisk(context, await method.summarize(store, context, rows), figures, rows, reconstruction?.summary ?? null));
    onUnits(units.rows);
    tables.push(heard(await riskTable(store, context, { round, paretoKThreshold, beside }), units.rowWritten, onUnits));
    if (plan.config.attributeRisk.control !== undefined && method.membershipReason(plan.config) === null) {
      control.push(await controlRows(store, scenario, round, scenarios.length > 1));
    }
    if (scoresCells(scenario.candidates)) await writeCellTables(store, context, round);
  }
  await writeParts(store, runId, ATTRIBUTE_RISK, below(tables));
  if (control.length > 0) await writeTable(store, runId, CONTROL_MEMBERSHIP, ...control);
  const warnings = riskWarnings(plan, risks, rounds, diagnostics?.warnings ?? []);
  return { risks, diagnostics, rounds, warnings };
}

/** A scenario whose values are to be written, and its units of work. */
interface OpenedValues {
  readonly values: ScenarioValues;
  readonly units: ReturnType<typeof riskUnits>;
}

/** Writes the tables of values, and finds what the summary says of those of each scenario. */
async function writeValues(store: Store, runId: string, scenarios: readonly OpenedValues[], onUnits: OnUnits) {
  const found = new Map<OpenedValues, Awaited<ReturnType<ScenarioValues['summarize']>>>();
  const summarize = async (scenario: OpenedValues) => {
    found.set(scenario, await scenario.values.summarize());
    onUnits(scenario.units.values);
  };
  const tables = scenarios.flatMap((scenario): Parts<ValueRows>[] => {
    const { table } = scenario.values;
    if (table === null) return [];
    const { like, parts } = heard(table, scenario.units.valueWritten, onUnits);
    return [
      {
        like,
        // Summarized as soon as its rows are written, so that what all values came to is held of one scenario at a time.
        async *parts() {
          yield* parts();
          await summarize(scenario);
        },
      },
    ];
  });
  if (tables.length > 0) await writeParts(store, runId, VARIABLE_RISK, below(tables));
  for (const scenario of scenarios) if (scenario.values.table === null) await summarize(scenario);
  const numbers = scenarios.flatMap((scenario) => found.get(scenario)!.continuous ?? []);
  if (numbers.length > 0) await writeTable(store, runId, CONTINUOUS_RISK, ...numbers.map((rows) => rowsOf(rows.rows, rows)));
  return (scenario: OpenedValues) => found.get(scenario)!.figures;
}

/** The same parts; `onUnits` hears of so many units of each of their rows, when it has been written. */
const heard = <Of>({ like, parts }: Parts<Of>, units: number, onUnits: OnUnits): Parts<Of> => ({
  like,
  async *parts() {
    for await (const part of parts()) {
      yield part;
      onUnits(units * part.rows);
    }
  },
});

/** The rows of a scenario, of which those of some batches are in memory at a time. */
async function riskTable(
  store: Store,
  context: ScenarioModel,
  { round, paretoKThreshold, beside }: Pick<SummarizedRows, 'round' | 'paretoKThreshold' | 'beside'>,
): Promise<Parts<RiskRows>> {
  const ofPart = await attributeRiskRows(store, context, paretoKThreshold, beside);
  return {
    like: ofPart({ from: 0, figures: emptyFigures(0) }),
    async *parts() {
      for await (const part of readFigureParts(store, context.scenario, round)) {
        const rows = ofPart(part);
        yield rowsOf(rows.rows, rows);
      }
    },
  };
}

/** Draws of the smallest expectation of a run, all its chains together. */
function fewestDraws(plan: Plan, numbers: ChainNumbers): number {
  const { draws, pairedDraws } = plan.config.mcmc;
  const sets = [numbers.chains * draws];
  if (chainsNeeded(plan, numbers).pairs > 0) sets.push(numbers.pairedChains * pairedDraws);
  if (lesserKnowledge(plan.config).length > 0) sets.push(numbers.pairedChains * draws);
  return Math.min(...sets);
}

/** What whole-table candidates give beside the risk table. */
async function writeCellTables(store: Store, { plan, scenario, table }: ScenarioModel, round: number): Promise<void> {
  const { guesses, marginals } = await readCellParts(store, scenario, round);
  const names = table.schema.variables.map(({ name }) => name);
  const asked = askedMarginals(plan.config.attributeRisk.marginals, names, table.sizes);
  await writeTable(store, plan.runId, GUESSES, guessRows(guesses, table));
  const rows = marginalRows(marginals, table, asked);
  await writeTable(store, plan.runId, MARGINALS, rows);
}
