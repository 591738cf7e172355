import { contextOfScenario, type RunModel, readRunModel } from '../../artifacts/run-context.ts';
import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { readFigures } from '../../artifacts/stored-part.ts';
import { listed, tableCsv } from '../../artifacts/write-table.ts';
import { int32, maybeDouble, type ResultTable, text } from '../../contracts/column.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { Remedies, RemedyRisk } from '../../contracts/results/remedies.ts';
import { summarySchema } from '../../contracts/results/summary.ts';
import { scenarioNumber } from '../../contracts/run/scenarios.ts';
import { renderRemedies } from '../../report/render-remedies.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { mergedCategory } from '../../table/files/merge-categories.ts';
import { readJudgements } from '../rounds/stored-round.ts';
import { namedRisk } from './named-risk.ts';

/** An assessed run that stands for a remedy, or the run itself. */
export interface AssessedRemedy {
  /** Name of its folder; null of the run itself. */
  readonly name: string | null;
  readonly setting: string;
  readonly store: Store;
  readonly runId: string;
}

/** Combinations that are looked at where none are named. */
const RISKIEST = 10;

/**
 * The combinations of an assessed run whose truth is most probable, from 1, the riskiest first; all of them where there are few.
 *
 * @param scenario by name, the one under which they are; the first where none is named
 * @throws InvalidConfigError `no-such-scenario`
 */
export async function riskiestCombinations(store: Store, runId: string, scenario?: string): Promise<number[]> {
  const whole = await readRunModel(store, runId);
  const { scenario: own, numbers } = contextOfScenario(whole, scenarioNumber(whole.plan, scenario));
  const { round } = (await readJudgements(store, runId)).at(-1)!;
  const { probability } = await readFigures(store, own, round);
  const order = [...probability.keys()].sort((a, b) => probability[b]! - probability[a]! || a - b);
  return order.slice(0, RISKIEST).map((row) => (numbers?.[row] ?? row) + 1);
}

/**
 * Holds combinations that somebody named to the table of a run.
 *
 * @throws InvalidConfigError `unknown-combination`, without telling which or how many
 */
export async function requireCombinations(store: Store, runId: string, named: readonly number[]): Promise<void> {
  const { table } = await readRunModel(store, runId);
  if (named.every((number) => number <= table.combinations.count)) return;
  throw new InvalidConfigError(
    'unknown-combination',
    '--named: the run does not have all of these combinations: expected numbers of the column `combination` in its attribute-risk.csv.',
  );
}

/** Texts of a combination's values (null: missing). */
function textsOf({ table }: RunModel, row: number): (string | null)[] {
  const { codes, variables } = table.combinations;
  return table.schema.variables.map((_, k) => categoryText(table.schema, k, codes[row * variables + k]!));
}

/** The combinations of a run's table, from 1, which some of another run's are once categories are merged as there. */
function combinationsIn(own: RunModel, itself: RunModel, named: readonly number[]): number[] {
  const { variables: overrides } = own.plan.config;
  const merges = own.table.schema.variables.map(({ name }) => overrides[name]?.merge);
  const wanted = new Set(
    named.map((number) =>
      JSON.stringify(textsOf(itself, number - 1).map((text, k) => (text === null ? null : mergedCategory(merges[k], text)))),
    ),
  );
  const all = Array.from({ length: own.table.combinations.count }, (_, row) => row);
  return all.filter((row) => wanted.has(JSON.stringify(textsOf(own, row)))).map((row) => row + 1);
}

/**
 * The risk of a run and of its remedies side by side.
 *
 * @param runs assessed runs of one table, the run itself first
 * @param named combinations of the run itself, from 1, which are followed into tables of fewer categories
 * @param scenario by name, the one of which all figures are; the first where none is named
 * @throws InvalidConfigError `no-such-scenario`
 */
export async function compareRemedies(runs: readonly AssessedRemedy[], named: readonly number[], scenario?: string): Promise<Remedies> {
  const [first] = runs;
  const itself = await readRunModel(first!.store, first!.runId);
  const { scenarios } = itself.plan.config.attributeRisk;
  // Every remedy has the scenarios of the run.
  const place = scenarioNumber(itself.plan, scenario) - 1;
  const remedies: RemedyRisk[] = [];
  for (const { name, setting, store, runId } of runs) {
    const summary = await readJson(store, runKeys(runId).confidential.summary, summarySchema);
    const own = await readRunModel(store, runId);
    const risk = summary.attributeRisk[place]!;
    if (!isRanked(risk)) throw new RangeError('remedies are compared by ranks of candidates');
    const { chains, pairedChains } = summary.rounds.at(-1)!;
    const found = await namedRisk(store, runId, risk, combinationsIn(own, itself, named));
    remedies.push({
      name,
      setting,
      datasets: summary.synthesis.datasets,
      chains,
      pairedChains,
      combinations: summary.table.combinations,
      candidatesMax: risk.candidatesPerCombinationMax,
      probabilityMax: risk.probabilityMax,
      informationBitsMax: risk.informationBitsMax,
      risk: found,
      gainBitsChange: remedies.length === 0 ? null : changeOfGain(remedies[0]!, found.file.gainBits),
    });
  }
  const { version, runId } = itself.plan;
  return { version, runId, ...(scenarios.length > 1 ? { scenario: scenarios[place]!.name } : {}), named: [...named], remedies };
}

type Mean = RemedyRisk['gainBitsChange'];

function changeOfGain({ risk }: RemedyRisk, now: Mean): Mean {
  const { gainBits: before } = risk.file;
  if (before === null || now === null) return null;
  const errors = [before.standardError, now.standardError];
  return {
    mean: now.mean - before.mean,
    standardError: errors.includes(null) ? null : Math.sqrt(errors.reduce<number>((sum, error) => sum + error! * error!, 0)),
  };
}

/** `remedies.csv`. */
export const REMEDIES: ResultTable<RemedyRisk> = {
  file: 'remedies',
  row: 'a remedy, the run itself first',
  columns: {
    remedy: text('Name of its folder; empty for the run itself.', ({ name }) => name),
    setting: text('What is different.', ({ setting }) => setting),
    datasets: int32('Datasets.', ({ datasets }) => datasets),
    chains: int32('Base chains.', ({ chains }) => chains),
    paired_chains: int32('Pairs of chains of each dataset.', ({ pairedChains }) => pairedChains),
    combinations: int32('Combinations of the fitted table.', ({ combinations }) => combinations),
    candidates_max: int32('Candidates of a record at most.', ({ candidatesMax }) => candidatesMax),
    truth_ranked_first_share: maybeDouble(
      'Share of records whose truth is the first guess.',
      ({ risk }) => risk.file.truthRankedFirstShare.mean,
    ),
    truth_ranked_first_share_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.truthRankedFirstShare.standardError),
    probability_mean: maybeDouble('Mean probability of the truth.', ({ risk }) => risk.file.probability.mean),
    probability_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.probability.standardError),
    probability_max: maybeDouble('Largest.', ({ probabilityMax }) => probabilityMax),
    information_bits_mean: maybeDouble('Mean shift of belief.', ({ risk }) => risk.file.informationBits.mean),
    information_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.informationBits.standardError),
    information_bits_max: maybeDouble('Largest.', ({ informationBitsMax }) => informationBitsMax),
    gain_bits_mean: maybeDouble('Mean gain at the truth.', ({ risk }) => risk.file.gainBits?.mean ?? null),
    gain_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.gainBits?.standardError ?? null),
    gain_bits_change: maybeDouble('The same less that of the run itself.', ({ gainBitsChange }) => gainBitsChange?.mean ?? null),
    gain_bits_change_se: maybeDouble('Its standard error.', ({ gainBitsChange }) => gainBitsChange?.standardError ?? null),
    membership_auc: maybeDouble(
      'How probably a record has a larger likelihood ratio than somebody outside the table.',
      ({ risk }) => risk.file.membership?.auc.mean ?? null,
    ),
    membership_auc_se: maybeDouble('Its standard error.', ({ risk }) => risk.file.membership?.auc.standardError ?? null),
    membership_found_at_1_percent: maybeDouble(
      'Share of records found at 1 % false alarms.',
      ({ risk }) => risk.file.membership?.foundAt1Percent.mean ?? null,
    ),
    membership_found_at_1_percent_se: maybeDouble(
      'Its standard error.',
      ({ risk }) => risk.file.membership?.foundAt1Percent.standardError ?? null,
    ),
    named_records: int32('Records of the named combinations.', ({ risk }) => risk.named.records),
    named_rank_mean: maybeDouble('Their mean rank.', ({ risk }) => risk.named.rankMean),
    named_rank_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.rankMeanSe),
    named_probability_mean: maybeDouble('Their mean probability of the truth.', ({ risk }) => risk.named.probabilityMean),
    named_probability_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.probabilityMeanSe),
    named_probability_max: maybeDouble('Their largest.', ({ risk }) => risk.named.probabilityMax),
    named_information_bits_mean: maybeDouble('Their mean shift of belief.', ({ risk }) => risk.named.informationBitsMean),
    named_information_bits_mean_se: maybeDouble('Its standard error.', ({ risk }) => risk.named.informationBitsMeanSe),
    named_gain_bits_mean: maybeDouble('Their mean gain at the truth.', ({ risk }) => risk.named.gainBitsMean),
  },
};

/** Stores the remedies of a run: `remedies.json`, `.csv` and `.html`. */
export async function storeRemedies(store: Store, found: Remedies): Promise<void> {
  await store.put('remedies.json', encodeJson(found));
  await store.put('remedies.csv', tableCsv(REMEDIES, listed(found.remedies)));
  await store.put('remedies.html', new TextEncoder().encode(await renderRemedies(found)));
}
