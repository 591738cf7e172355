import { readDatasetSource } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { readPartialRelease } from '../../artifacts/stored-release.ts';
import { tableRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import { type Plan, planSchema } from '../../contracts/run/plan.ts';
import { type TableSchema, tableSchema } from '../../contracts/schema.ts';
import { acceptanceRules, applyAcceptanceRule, heldBack } from '../../contracts/settings/acceptance-rule.ts';
import { type OpenedRelease, openRelease } from '../../risk/bounds/opened-release.ts';
import type { Store } from '../../storage/store.ts';
import { copiesOfRun } from '../copies/copies-of-run.ts';
import { hasAttributeRisk, hasChains } from '../rounds/chains-needed.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { measureRun } from '../utility/measure-run.ts';
import { type AttributeRiskResults, aggregateAttributeRisk } from './aggregate-attribute-risk.ts';
import { boundRun } from './bound-run.ts';
import { headlineOf } from './headline.ts';
import { identifyRecords } from './identify-records.ts';
import { uniqueFigures } from './unique-figures.ts';

/** Puts what the steps of a run have made together: risk tables, summary and chain diagnostics. */
export async function aggregateRun(store: Store, { runId }: { runId: string }): Promise<void> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const schema = await readCheckedJson(store, keys.table.schema, tableSchema);
  const attributeRisk = hasAttributeRisk(plan) ? await aggregateAttributeRisk(store, runId) : null;
  const release = plan.purpose === 'synthesize' ? null : await readPartialRelease(store, plan);
  const opened = openRelease(plan.config, schema);
  const identification = await identifyRecords(store, plan, schema, opened, release);
  const bounded = await boundRun(store, plan, opened.bounds, release);
  const unique = uniqueFigures(plan, release);
  const copied = await copiesOfRun(store, plan, release, attributeRisk?.diagnostics?.chains ?? 0);
  const notAssessable = plan.notAssessable ?? copied.notAssessable;
  const figures: Omit<Summary, 'headline'> = {
    version: plan.version,
    runId,
    seed: plan.config.seed,
    ...figuresOfPlan(plan, schema, opened),
    model: await describeModel(store, plan, attributeRisk),
    ...attributeRiskFigures(plan, schema, attributeRisk),
    ...identification,
    ...(unique.uniqueValues.length > 0 ? { uniqueValues: [...unique.uniqueValues] } : {}),
    ...(bounded ? { inherent: bounded.inherent } : {}),
    assessable: notAssessable === null,
    ...(notAssessable === null ? {} : { assessableReason: notAssessable }),
    copies: copied.copies,
    ...(await measureRun(store, plan, schema, opened.synthesized, release)),
    acceptance: [],
    warnings: [...plan.warnings, ...copied.warnings, ...(attributeRisk?.warnings ?? []), ...unique.warnings, ...(bounded?.warnings ?? [])],
  };
  const summary: Summary = { headline: headlineOf(figures), ...figures };
  // Rules judge an evaluation: one config may serve `synthesize` as well, which has nothing to judge.
  if (plan.purpose !== 'synthesize') {
    const regions = summary.attributeRisk.flatMap(({ scenario, acceptanceRegion }) =>
      (acceptanceRegion?.rules ?? []).map(({ rule, brokenShare }) =>
        heldBack({ rule, scenario, value: brokenShare, met: brokenShare === 0 }, [scenario], summary),
      ),
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
      chains: hasChains(plan.config) ? byChains : null,
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
