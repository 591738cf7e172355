import { readDatasetSource, readRecordRelease } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { runMeasures } from '../../compare/run-measures.ts';
import { tableRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { RunFigure } from '../../contracts/results/comparison.ts';
import { isRanked, nearestVariable } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { type Plan, planSchema } from '../../contracts/run/plan.ts';
import { type TableSchema, tableSchema } from '../../contracts/schema.ts';
import { rulesOfScenario } from '../../contracts/settings/acceptance-region.ts';
import { acceptanceRules, applyAcceptanceRule, heldBack } from '../../contracts/settings/acceptance-rule.ts';
import { bracketed } from '../../contracts/settings/named-scenario.ts';
import { countShare, type OnShare, unheard } from '../../contracts/stepwise.ts';
import { type OpenedRelease, openRelease } from '../../risk/bounds/open-bounds.ts';
import type { Store } from '../../storage/store.ts';
import { copiesOfRun } from '../copies/copies-of-run.ts';
import { remarksOf } from '../methods/methods.ts';
import { hasAttributeRisk } from '../rounds/chains-needed.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { writeUtility } from '../utility/measure-run.ts';
import { type AttributeRiskResults, aggregateAttributeRisk } from './aggregate-attribute-risk.ts';
import { boundRun } from './bound-run.ts';
import { aggregateUnits, copiesUnits } from './closing-units.ts';
import { identifyRecords } from './identify-records.ts';

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
function headlineOf(summary: Measured): Figure[] {
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
    if (!isRanked(risk)) ask(`${at}.continuousVariables.withinAfter`, nearestVariable(risk)?.withinBefore ?? null);
    ask(`${at}.gainBitsMean`, 0);
    ask(`${at}.truthRankedFirstShare`, risk.priorFirstShare);
    ask(`${at}.probabilityMean`, risk.priorProbabilityMean);
    ask(`${at}.membership.auc`, 0.5);
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
      (b.uncertaintyResolved ?? b.probabilityMean ?? 0) - (a.uncertaintyResolved ?? a.probabilityMean ?? 0),
  )[0];
}

/** The scenario under which most records are found by matching. */
function mostMatched({ identificationRisk }: Measured): string | undefined {
  const found = identificationRisk.flatMap((risk) =>
    risk.applies ? [{ scenario: risk.scenario, records: risk.mean.expectedMatchRisk }] : [],
  );
  return found.toSorted((a, b) => b.records - a.records)[0]?.scenario;
}

/** Puts what the steps of a run have made together: risk tables, summary and chain diagnostics. */
export async function aggregateRun(store: Store, { runId }: { runId: string }, onShare: OnShare = unheard): Promise<void> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const schema = await readCheckedJson(store, keys.table.schema, tableSchema);
  const onUnits = countShare(aggregateUnits(plan), onShare);
  const attributeRisk = hasAttributeRisk(plan) ? await aggregateAttributeRisk(store, runId, onUnits) : null;
  const release = plan.purpose === 'synthesize' ? null : await readRecordRelease(store, plan);
  const opened = openRelease(plan.config, schema);
  const identification = await identifyRecords(store, plan, schema, opened, release);
  const bounded = await boundRun(store, plan, opened.bounds, release);
  const { warnings: remarked, ...remarks } = (release && remarksOf(plan.config)?.(plan.config, release.table, release.datasets)) ?? {
    warnings: [],
  };
  const copied = await copiesOfRun(store, plan, release, attributeRisk?.diagnostics?.chains ?? 0);
  onUnits(copiesUnits(plan));
  const notAssessable = plan.notAssessable ?? copied.notAssessable;
  const figures: Omit<Summary, 'headline'> = {
    version: plan.version,
    runId,
    seed: plan.config.seed,
    ...figuresOfPlan(plan, schema, opened),
    model: await describeModel(store, plan, attributeRisk),
    ...attributeRiskFigures(plan, schema, attributeRisk),
    ...identification,
    ...remarks,
    ...(bounded ? { inherent: bounded.inherent } : {}),
    assessable: notAssessable === null,
    ...(notAssessable === null ? {} : { assessableReason: notAssessable }),
    copies: copied.copies,
    ...(await writeUtility(store, plan, release)),
    acceptance: [],
    warnings: [plan.warnings, copied.warnings, attributeRisk?.warnings, remarked, bounded?.warnings].flatMap((some) => some ?? []),
  };
  const summary: Summary = { headline: headlineOf(figures), ...figures };
  // Rules judge an evaluation: one config may serve `synthesize` as well, which has nothing to judge.
  if (plan.purpose !== 'synthesize') {
    const regions = summary.attributeRisk.flatMap(({ scenario, acceptanceRegion, rankedReason: reason }) =>
      reason === undefined
        ? (acceptanceRegion?.rules ?? []).map(({ rule, brokenShare }) =>
            heldBack({ rule, scenario, value: brokenShare, met: brokenShare === 0 }, [scenario], summary),
          )
        : rulesOfScenario(plan.config, scenario).map(({ rule }) => ({ rule, scenario, value: null, met: false, reason })),
    );
    const rules = acceptanceRules(plan.config).map((rule) => applyAcceptanceRule(rule, summary));
    summary.acceptance = [...rules, ...regions];
  }
  await store.put(keys.confidential.summary, encodeJson(summary));
}

/** What the summary says of the table and of the datasets. */
function figuresOfPlan(plan: Plan, schema: TableSchema, release: OpenedRelease): Pick<Summary, 'table' | 'synthesis'> {
  const { sha256: _, ...table } = plan.table;
  const { synthesized, chains } = plan.config.synthesis;
  const byChains = plan.datasets.origin === 'elsewhere' ? 'foreign' : chains;
  return {
    table: { ...table, ...(table.cells === null ? { cellsReason: 'a continuous variable has no categories to cross-classify' } : {}) },
    synthesis: {
      datasets: plan.datasets.count,
      synthesized: release.synthesized.map((v) => schema.variables[v]!.name),
      kind: synthesized === 'all' ? 'full' : 'partial',
      chains: synthesizerOf(plan.config).chains && byChains,
    },
  };
}

/** What the summary says of the model. */
async function describeModel(store: Store, plan: Plan, assessed: AttributeRiskResults | null): Promise<Summary['model']> {
  const { model } = plan.config;
  const synthesizer = synthesizerOf(plan.config);
  const described = synthesizer.describe(plan);
  if (synthesizer.chains === null) {
    const none = { classes: null, chains: 0, drawsKept: 0, occupiedClassesMax: null };
    return { name: model.name, ...none, ...described };
  }
  const diagnostics = assessed?.diagnostics;
  return {
    name: model.name,
    ...described,
    chains: diagnostics?.chains ?? 0,
    drawsKept: diagnostics ? diagnostics.chains * diagnostics.drawsPerChain : 0,
    occupiedClassesMax: diagnostics ? Math.max(...diagnostics.occupiedClassesMax) : await occupiedBySynthesis(store, plan),
  };
}

/** What the summary says of attribute risk, or why there is none. */
function attributeRiskFigures(
  { purpose, config, table, unscored, notAssessable }: Plan,
  schema: TableSchema,
  assessed: AttributeRiskResults | null,
): Pick<Summary, 'attributeRisk' | 'attributeRiskReason' | 'rounds'> {
  if (assessed) return { attributeRisk: [...assessed.risks], rounds: [...assessed.rounds] };
  return {
    attributeRisk: [],
    attributeRiskReason:
      purpose === 'synthesize'
        ? 'Datasets alone were asked for.'
        : (notAssessable ?? unscored ?? tableRiskReason(config, { ...table, schema })!),
    rounds: [],
  };
}

/** Most classes occupied in the draws that generated the datasets; null where these are not known. */
async function occupiedBySynthesis(store: Store, plan: Plan): Promise<number | null> {
  let most = 0;
  for (let l = 1; l <= plan.datasets.count; l++) {
    const { chain, draw } = await readDatasetSource(store, plan.runId, l);
    if (chain === null || draw === null) return null;
    most = Math.max(most, (await readDraws(store, plan.runId, chain)).occupiedClasses[draw]!);
  }
  return most;
}
