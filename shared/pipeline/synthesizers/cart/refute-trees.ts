import type { DatasetRows } from '../../../artifacts/stored-dataset.ts';
import type { Config } from '../../../contracts/config/config.ts';
import { type CartSettings, cartSettings } from '../../../model/cart/synthesis.ts';
import { log } from '../../../numeric/portable-math.ts';
import { type LikelihoodOfRelease, likelihoodOfRelease } from '../../../risk/trees/tree-risk.ts';
import type { TreeRelease } from '../../../risk/trees/tree-variables.ts';
import { bandsByVariable } from '../../../table/guessed-columns.ts';
import type { Column, Table } from '../../../table/table.ts';

/** Minimum leaves that programs and people choose. */
const LEAVES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000];

/** Complexities that programs and people choose: of rpart by default, and of synthpop. */
const COMPLEXITIES = [0.01, 0.001, 1e-4, 1e-8];

type Growth = Required<Pick<CartSettings, 'minimumLeaf' | 'complexity' | 'predictors'>>;

/** Settings of finer trees: what they release is possible in those of the given ones, where it is drawn from larger leaves. */
function finerSettings({ minimumLeaf, complexity, predictors }: Growth): Growth[] {
  const leaves = [minimumLeaf, ...LEAVES.filter((leaf) => leaf < minimumLeaf)];
  const complexities = [complexity, ...COMPLEXITIES.filter((one) => one < complexity)];
  const choices = predictors === 'none' ? (['none', 'kept'] as const) : (['kept'] as const);
  const [_given, ...others] = choices.flatMap((predictors) =>
    complexities.flatMap((complexity) => leaves.map((minimumLeaf) => ({ minimumLeaf, complexity, predictors }))),
  );
  return others;
}

/** Share of values, drawn from all categories alike, that finer trees may have given otherwise: their settings are near the true ones. */
const SLIPS = 0.01;

/** Log-probability of a release by trees with {@link SLIPS}, at least; of bands, which have no list of values, without. */
function logLikelihoodWithSlips({ impossible, logLikelihood }: LikelihoodOfRelease, { table, settings, datasets }: TreeRelease): number {
  if (impossible.every((count) => count === 0)) return logLikelihood;
  const values = datasets.length * table.records * impossible.length;
  const slips = impossible.map((count, place) => {
    if (count === 0) return 0;
    const variable = table.schema.variables[settings.synthesized[place]!]!;
    return variable.type === 'categorical' ? count * log(SLIPS / variable.categories.length) : -Infinity;
  });
  const slipped = impossible.reduce((sum, count) => sum + count, 0);
  return slips.reduce((sum, slip) => sum + slip, logLikelihood + (values - slipped) * log(1 - SLIPS));
}

/**
 * How many times as probable finer trees have to make a release, before it is none of the given ones. Of a release by the given ones,
 * one of the others makes it so much more probable in one of 10,000 at most: its probabilities of all releases sum to one as well.
 */
const TIMES = 10_000;

/** Settings instead of those that are given, as they stand in a config; null where none differ. */
function sayDiffering(growth: Growth, given: Growth): string | null {
  const differing = (['minimumLeaf', 'complexity', 'predictors'] as const).filter((name) => growth[name] !== given[name]);
  const said = (of: Growth) => differing.map((name) => `${name}: ${of[name]}`).join(', ');
  return differing.length === 0 ? null : `model: { ${said(growth)} } instead of { ${said(given)} }`;
}

/** Why a release is of finer trees than the settings grow; null where none is far more probable. */
function refuteByFiner(release: TreeRelease, { logLikelihood }: LikelihoodOfRelease): string | null {
  const { settings } = release;
  let best: { readonly growth: Growth; readonly logLikelihood: number } | null = null;
  const given: Growth = { ...settings, predictors: settings.predictors ?? 'kept' };
  for (const growth of finerSettings(given)) {
    const finer = { ...release, settings: { ...settings, ...growth } };
    const found = logLikelihoodWithSlips(likelihoodOfRelease(finer, false), finer);
    if (best === null || found > best.logLikelihood) best = { growth, logLikelihood: found };
  }
  if (best === null || best.logLikelihood - logLikelihood < log(TIMES)) return null;
  return `Finer trees than those of the settings make these datasets more than 10,000 times as probable: ${sayDiffering(best.growth, given)}. By the given settings the risk would be wrong. Give the settings that the datasets were made with, or evaluate the table, which makes datasets of its own.`;
}

/** The most probable of other settings under which all released values are possible, in words; null without any. */
function possibleSettings(release: TreeRelease): string | null {
  const { settings } = release;
  const given: Growth = { ...settings, predictors: settings.predictors ?? 'kept' };
  const others = [
    ...LEAVES.map((minimumLeaf) => ({ minimumLeaf })),
    ...COMPLEXITIES.map((complexity) => ({ complexity })),
    ...(['kept', 'none'] as const).map((predictors) => ({ predictors })),
  ];
  let best: { readonly said: string; readonly logLikelihood: number } | null = null;
  for (const other of others) {
    const said = sayDiffering({ ...given, ...other }, given);
    const { impossible, logLikelihood } = likelihoodOfRelease({ ...release, settings: { ...settings, ...other } }, false);
    if (said === null || impossible.some((count) => count > 0)) continue;
    if (best === null || logLikelihood > best.logLikelihood) best = { said, logLikelihood };
  }
  return best?.said ?? null;
}

/** Why released values are impossible in trees by the given settings, however ties are resolved. */
function sayImpossible(release: TreeRelease, { impossible }: LikelihoodOfRelease): string {
  const { schema, records } = release.table;
  const values = release.datasets.length * records;
  const counted = impossible.flatMap((count, place) =>
    count === 0 ? [] : [`${count} of ${values} of ${schema.variables[release.settings.synthesized[place]!]!.name}`],
  );
  const other = possibleSettings(release);
  const hint = other === null ? '' : ` All are possible with ${other}.`;
  return `No donor could give released values where their rows come to rest in trees of the table with these settings: ${counted.join(', ')}. The trees were grown with another minimum leaf, complexity, choice of kept predictors or order of visits, on another table, or by a program that divides otherwise.${hint} Give the settings that the datasets were made with, or evaluate the table, which makes datasets of its own.`;
}

/**
 * Why datasets cannot be of the trees that the settings grow on the table: how many of their values no donor could give, and by
 * which settings they could, or which other settings make them far more probable. Null where they can, ties resolved either way.
 */
export function refuteTrees(config: Config, table: Table, datasets: readonly DatasetRows[]): string | null {
  const settings = cartSettings(config, table.schema);
  if (datasets.length === 0) return null;
  const columns = datasets.map((rows) => settings.synthesized.map((v) => (rows as ReadonlyMap<number, Column>).get(v)!));
  const release = { table, settings, datasets: columns, bands: bandsByVariable(config, table.schema) };
  const given = likelihoodOfRelease(release, true);
  return given.impossible.some((count) => count > 0) ? sayImpossible(release, given) : refuteByFiner(release, given);
}
