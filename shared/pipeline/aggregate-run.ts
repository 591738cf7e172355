import { applyAcceptanceRule, parseAcceptanceRule } from '../contracts/acceptance-rule.ts';
import type { Config } from '../contracts/config.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Plan } from '../contracts/plan.ts';
import type { AttributeRiskSummary, ChainDiagnostics, Summary, Warning } from '../contracts/results.ts';
import { FEWEST_EFFECTIVE_DRAWS, GOOD_REPRODUCIBILITY } from '../contracts/results.ts';
import type { Judgement } from '../contracts/round.ts';
import { ESTIMATOR_MEANING } from '../risk/attribute-estimators.ts';
import type { AttributeRisk } from '../risk/attribute-risk.ts';
import { summarizeAttributeRisk } from '../risk/attribute-summary.ts';
import type { Store } from '../storage/store.ts';
import { attributeRiskColumns, attributeRiskRows } from './attribute-risk-table.ts';
import { guessColumns, marginalColumns } from './cell-tables.ts';
import { diagnoseChains } from './diagnose-chains.ts';
import { readJudgements } from './judge-round.ts';
import { type RunContext, readRunContext } from './run-context.ts';
import { readCellParts } from './stored-cell-part.ts';
import { readDatasetSource } from './stored-dataset.ts';
import { readDraws } from './stored-draws.ts';
import { encodeJson } from './stored-json.ts';
import { readFigures, readRisk } from './stored-part.ts';
import { writeColumns } from './write-columns.ts';

/** A scenario's candidates as text. */
export function describeCandidates({ candidates }: Config['attributeRisk']): string {
  return typeof candidates === 'string' ? candidates : `unknown: ${candidates.unknown.join(', ')}`;
}

/** Puts the parts of a run together: risk tables, summary and chain diagnostics. */
export async function aggregateRun(store: Store, { runId }: { runId: string }): Promise<void> {
  const keys = runKeys(runId);
  const context = await readRunContext(store, runId);
  const { plan } = context;
  const rounds = plan.purpose === 'synthesize' ? [] : await readJudgements(store, runId);
  const last = rounds.at(-1);
  const diagnostics = last ? await diagnoseChains(store, plan, last.chains) : null;
  if (diagnostics) await store.put(keys.chains, encodeJson(diagnostics));
  const attributeRisk: AttributeRiskSummary[] = [];
  if (last) {
    attributeRisk.push(summarize(await readRisk(store, plan, last.round), context));
    const rows = await attributeRiskRows(store, context, await readFigures(store, plan, last.round));
    const { attributeRiskCsv, attributeRiskParquet } = keys.confidential;
    await writeColumns(store, attributeRiskCsv, attributeRiskParquet, rows.length, (from, to) =>
      attributeRiskColumns(rows.slice(from, to), context.table.schema, context.synthesized !== null),
    );
    if (plan.config.attributeRisk.candidates === 'all-cells')
      await writeCellTables(store, context, last.round);
  }
  const summary = await composeSummary(store, context, attributeRisk, diagnostics, rounds);
  await store.put(keys.confidential.summary, encodeJson(summary));
}

function summarize(risk: AttributeRisk, { plan, table, synthesized }: RunContext): AttributeRiskSummary {
  const settings = plan.config.attributeRisk;
  const candidates = describeCandidates(settings);
  const { reproducibility, ...figures } = summarizeAttributeRisk(
    [risk],
    synthesized ? new Uint32Array(plan.table.records).fill(1) : table.combinations.counts,
    plan.candidatesPerCombination,
  );
  return {
    scenario: candidates,
    estimator: settings.estimator,
    meaning: ESTIMATOR_MEANING[settings.estimator],
    candidates,
    candidatesPerCombinationMax: plan.candidatesPerCombination,
    prior: settings.prior,
    slope: settings.slope,
    records: plan.table.records,
    reproducibility,
    ...(reproducibility === null
      ? {
          reproducibilityReason: `the probability of the truth does not vary over ${synthesized ? 'records' : 'combinations'}`,
        }
      : {}),
    ...figures,
    rankHistogram: [...figures.rankHistogram],
  };
}

/** What whole-table candidates give beside the risk table. */
async function writeCellTables(store: Store, { plan, table }: RunContext, round: number): Promise<void> {
  const keys = runKeys(plan.runId).confidential;
  const { guesses, marginals } = await readCellParts(store, plan, round);
  await writeColumns(store, keys.guessesCsv, keys.guessesParquet, guesses.cells.length, (from, to) =>
    guessColumns(guesses, table, from, to),
  );
  await writeColumns(store, keys.marginalsCsv, keys.marginalsParquet, marginals.length, (from, to) =>
    marginalColumns(marginals, table, from, to),
  );
}

async function composeSummary(
  store: Store,
  { plan, table, synthesized }: RunContext,
  attributeRisk: AttributeRiskSummary[],
  diagnostics: ChainDiagnostics | null,
  rounds: Judgement[],
): Promise<Summary> {
  const { config, runId } = plan;
  const { sha256: _, ...tableFigures } = plan.table;
  const summary: Summary = {
    version: plan.version,
    runId,
    seed: config.seed,
    table: {
      ...tableFigures,
      ...(tableFigures.cells === null
        ? { cellsReason: 'a continuous variable has no categories to cross-classify' }
        : {}),
    },
    model: {
      name: config.model.name,
      classes: plan.classes,
      chains: diagnostics?.chains ?? 0,
      drawsKept: diagnostics ? diagnostics.chains * diagnostics.drawsPerChain : 0,
      occupiedClassesMax: diagnostics
        ? Math.max(...diagnostics.occupiedClassesMax)
        : await occupiedBySynthesis(store, plan),
    },
    synthesis: {
      datasets: plan.datasets.count,
      synthesized: (synthesized ?? [...table.sizes.keys()]).map((k) => table.schema.variables[k]!.name),
      kind: synthesized ? 'partial' : 'full',
      chains: plan.datasets.origin === 'elsewhere' ? 'foreign' : config.synthesis.chains,
    },
    attributeRisk,
    rounds,
    identificationRisk: synthesized
      ? []
      : [
          {
            scenario: 'record linkage',
            known: [],
            synthesized: table.schema.variables.map(({ name }) => name),
            applies: false,
            reason:
              'The datasets are fully synthetic: no row of them belongs to a record, so that there is nothing to match (000 section 3).',
          },
        ],
    utility: null,
    utilityReason: 'Utility is not measured by this version.',
    acceptance: [],
    warnings: [
      ...plan.warnings,
      ...(diagnostics?.warnings ?? []),
      ...attributeRisk.flatMap(riskWarnings),
      ...targetWarnings(config, rounds),
    ],
  };
  // Rules judge an evaluation: one config may serve `synthesize` as well, which has nothing to judge.
  if (plan.purpose !== 'synthesize') {
    summary.acceptance = config.acceptance.map((rule) =>
      applyAcceptanceRule(parseAcceptanceRule(rule), summary),
    );
  }
  return summary;
}

/** Most classes occupied in the draws that generated the datasets. */
async function occupiedBySynthesis(store: Store, plan: Plan): Promise<number> {
  let most = 0;
  for (let l = 1; l <= plan.datasets.count; l++) {
    const source = await readDatasetSource(store, plan.runId, l);
    const draws = await readDraws(store, plan.runId, source.chain!);
    most = Math.max(most, draws.occupiedClasses[source.draw!]!);
  }
  return most;
}

/** Says that the reproducibility that was asked for was not reached. */
function targetWarnings({ mcmc }: Config, rounds: readonly Judgement[]): Warning[] {
  const last = rounds.at(-1);
  if (last?.outcome !== 'max-chains') return [];
  return [
    {
      code: 'reproducibility-not-reached',
      message: `A reproducibility of ${mcmc.reproducibility} was asked for; ${last.chains} base chains and ${last.pairedChains} paired chains of each dataset reach ${last.reproducibility!.toFixed(3)}, and mcmc.maxChains (${mcmc.maxChains}) allows no more.`,
    },
  ];
}

function riskWarnings(risk: AttributeRiskSummary): Warning[] {
  const warnings: Warning[] = [];
  if (risk.estimator === 'importance' && risk.effectiveDrawsMin < FEWEST_EFFECTIVE_DRAWS) {
    warnings.push({
      code: 'few-effective-draws',
      message: `The published importance estimator has only ${risk.effectiveDrawsMin.toFixed(2)} effective draws: it shows what single draws say, not what the release tells, and another seed would give other ranks. Use the estimator \`augmented\`.`,
    });
  }
  if (risk.reproducibility !== null && risk.reproducibility < GOOD_REPRODUCIBILITY) {
    warnings.push({
      code: 'low-reproducibility',
      message: `Two evaluations of this release would rank records with a correlation of only ${risk.reproducibility.toFixed(2)}. Ask for more (mcmc.reproducibility, --reproducibility): chains are then added where the error is.`,
    });
  }
  if (risk.slope !== 1) {
    warnings.push({
      code: 'slope-applied',
      message: `The likelihood was raised to the power ${risk.slope}, as the config asks (attributeRisk.slope).`,
    });
  }
  return warnings;
}
