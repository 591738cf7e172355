import { contextOfScenario, type RunModel, readRunModel, type ScenarioModel } from '../../artifacts/run-context.ts';
import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { readFigures } from '../../artifacts/stored-part.ts';
import { listed, tableCsv } from '../../artifacts/write-table.ts';
import { bandLabels, bandOf } from '../../contracts/config/bands.ts';
import { keepsRecords } from '../../contracts/config/config.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Remedies, RemedyRisk } from '../../contracts/results/remedies.ts';
import { summarySchema } from '../../contracts/results/summary.ts';
import { scenarioNumber } from '../../contracts/run/scenarios.ts';
import { renderRemedies } from '../../report/render-remedies.ts';
import { ranksCandidates } from '../../risk/intruder/candidate-space.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { numberReader } from '../../table/files/decimal-number.ts';
import { mergedCategory } from '../../table/files/merge-categories.ts';
import { readJudgements } from '../rounds/stored-round.ts';
import { continuousRows, readNumbers } from '../tables/continuous-rows.ts';
import { numbersRows, REMEDIES, REMEDIES_CONTINUOUS } from '../tables/remedies-tables.ts';
import { continuousNames, namedRisk } from './named-risk.ts';

/** An assessed run that stands for a remedy, or the run itself. */
export interface AssessedRemedy {
  /** Name of its folder; null of the run itself. */
  readonly name: string | null;
  readonly setting: string;
  readonly store: Store;
  readonly runId: string;
}

/** Combinations, or records, that are looked at where none are named. */
const RISKIEST = 10;

/** The largest probability with which an intruder comes near a number of each row; 0 where all are missing. */
async function nearestOfRows(store: Store, context: ScenarioModel, round: number): Promise<Float64Array> {
  const found = continuousRows(context, await readNumbers(store, context, round));
  if (found === null) throw new RangeError('a run without ranked candidates has continuous variables');
  const nearest = new Float64Array(context.records);
  const rowOf = context.numbers && new Map(Array.from(context.numbers, (record, row) => [record + 1, row]));
  for (let place = 0; place < found.rows; place++) {
    const record = found.recordOf(place);
    const row = rowOf ? rowOf.get(record)! : record - 1;
    nearest[row] = Math.max(nearest[row]!, found.figure(place, 'withinAfter'));
  }
  return nearest;
}

/**
 * The rows of an assessed run whose truth is most probable, from 1, the riskiest first; all of them where there are few. Where no
 * candidates are ranked, those to one of whose numbers an intruder most probably comes near. Numbers are of records where rows are
 * records, and else of combinations.
 *
 * @param scenario by name, the one under which they are; the first where none is named
 * @throws InvalidConfigError `no-such-scenario`
 */
export async function riskiestRows(store: Store, runId: string, scenario?: string): Promise<number[]> {
  const whole = await readRunModel(store, runId);
  const context = contextOfScenario(whole, scenarioNumber(whole.plan, scenario));
  const { round } = (await readJudgements(store, runId)).at(-1)!;
  const probability = ranksCandidates(context.space)
    ? (await readFigures(store, context.scenario, round)).probability
    : await nearestOfRows(store, context, round);
  const order = [...probability.keys()].sort((a, b) => probability[b]! - probability[a]! || a - b);
  return order.slice(0, RISKIEST).map((row) => (context.numbers?.[row] ?? row) + 1);
}

/**
 * Holds rows that somebody named to the table of a run.
 *
 * @throws InvalidConfigError `unknown-record` where rows are records, `unknown-combination` otherwise, without telling which or how many
 */
export async function requireRows(store: Store, runId: string, named: readonly number[]): Promise<void> {
  const { plan, table } = await readRunModel(store, runId);
  const ofRecords = keepsRecords(plan.config);
  if (named.every((number) => number <= (ofRecords ? plan.table.records : table.combinations.count))) return;
  const what = ofRecords ? 'record' : 'combination';
  throw new InvalidConfigError(
    `unknown-${what}`,
    `--named: the run does not have all of these ${what}s: expected numbers of the column \`${what}\` in its attribute-risk.csv.`,
  );
}

/** Texts of a combination's values (null: missing). */
function textsOf({ table }: RunModel, row: number): (string | null)[] {
  const { codes, variables } = table.combinations;
  return table.schema.variables.map((_, k) => categoryText(table.schema, k, codes[row * variables + k]!));
}

/** By variable, the category in a remedy's table that a value of the run's own has: the band of its number, or what it is merged into. */
function categoriesIn(own: RunModel, itself: RunModel): ((text: string) => string)[] {
  const { variables: before, numbers } = itself.plan.config;
  return own.table.schema.variables.map(({ name }) => {
    const { breaks, merge } = own.plan.config.variables[name] ?? {};
    if (breaks === undefined) return (text) => mergedCategory(merge, text);
    const from = before[name]?.breaks;
    const numberOf = from === undefined ? numberReader(numbers) : (band: string) => from[bandLabels(from).indexOf(band)] ?? Number.NaN;
    return (text) => mergedCategory(merge, bandLabels(breaks)[bandOf(breaks, numberOf(text))] ?? text);
  });
}

/**
 * The rows of a run's table, from 1, which some of another run's are: the same records, or the combinations that they are once categories
 * are merged and numbers banded as there.
 */
function rowsIn(own: RunModel, itself: RunModel, named: readonly number[]): readonly number[] {
  if (keepsRecords(itself.plan.config)) return named;
  const becomes = categoriesIn(own, itself);
  const wanted = new Set(
    named.map((number) => JSON.stringify(textsOf(itself, number - 1).map((text, k) => (text === null ? null : becomes[k]!(text))))),
  );
  const all = Array.from({ length: own.table.combinations.count }, (_, row) => row);
  return all.filter((row) => wanted.has(JSON.stringify(textsOf(own, row)))).map((row) => row + 1);
}

/**
 * The risk of a run and of its remedies side by side.
 *
 * @param runs assessed runs of one table, the run itself first
 * @param named combinations of the run itself, from 1, which are followed into tables of fewer categories; or records
 * @param scenario by name, the one of which all figures are; the first where none is named
 * @throws InvalidConfigError `no-such-scenario`
 */
export async function compareRemedies(runs: readonly AssessedRemedy[], named: readonly number[], scenario?: string): Promise<Remedies> {
  const [first] = runs;
  const itself = await readRunModel(first!.store, first!.runId);
  const { scenarios } = itself.plan.config.attributeRisk;
  // Every remedy has the scenarios of the run.
  const place = scenarioNumber(itself.plan, scenario) - 1;
  const summaries = await Promise.all(runs.map(({ store, runId }) => readJson(store, runKeys(runId).confidential.summary, summarySchema)));
  const names = [...new Set(summaries.flatMap(({ attributeRisk }) => continuousNames(attributeRisk[place]!)))];
  const remedies: RemedyRisk[] = [];
  for (const [at, { name, setting, store, runId }] of runs.entries()) {
    const summary = summaries[at]!;
    const own = await readRunModel(store, runId);
    const risk = summary.attributeRisk[place]!;
    const { chains, pairedChains } = summary.rounds.at(-1)!;
    const found = await namedRisk(store, runId, risk, rowsIn(own, itself, named), names);
    remedies.push({
      name,
      setting,
      datasets: summary.synthesis.datasets,
      chains,
      pairedChains,
      combinations: summary.table.combinations,
      candidatesMax: risk.candidatesPerCombinationMax,
      ...(risk.rankedReason === undefined ? {} : { rankedReason: risk.rankedReason }),
      probabilityMax: risk.probabilityMax,
      informationBitsMax: risk.informationBitsMax,
      risk: found,
      gainBitsChange: remedies.length === 0 ? null : changeOfGain(remedies[0]!, found.file.gainBits),
    });
  }
  const { version, runId, config } = itself.plan;
  const ofOne = scenarios.length > 1 ? { scenario: scenarios[place]!.name } : {};
  return { version, runId, ...ofOne, ofRecords: keepsRecords(config), named: [...named], remedies };
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

/** Stores the remedies of a run: `remedies.json`, `.csv` and `.html`, and `remedies-continuous.csv` where some variable has a density. */
export async function storeRemedies(store: Store, found: Remedies): Promise<void> {
  await store.put('remedies.json', encodeJson(found));
  await store.put('remedies.csv', tableCsv(REMEDIES, listed(found.remedies)));
  const numbers = found.remedies.flatMap(numbersRows);
  if (numbers.length > 0) await store.put('remedies-continuous.csv', tableCsv(REMEDIES_CONTINUOUS, listed(numbers)));
  await store.put('remedies.html', new TextEncoder().encode(await renderRemedies(found)));
}
