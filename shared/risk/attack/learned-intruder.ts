import type { LearnedOutcome } from '../../contracts/results/attack.ts';
import { type GrowthSettings, growCartTree } from '../../model/cart/growth.ts';
import { dropRecords } from '../../model/cart/tree.ts';
import { log } from '../../numeric/portable-math.ts';
import { quantile } from '../../numeric/quantile.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { type Column, chosenRecords, stackedTables, type Table } from '../../table/table.ts';
import { wilsonError } from './attack-outcome.ts';
import { total } from './neighbour-attacks.ts';
import type { OpenedAttack } from './open-attack.ts';

/** What RAPID calls `cat_tau` and its R package recommends. */
const RAPID_THRESHOLD = 0.3;

/** What RAPID calls `num_epsilon`, as riskutility has it by default. */
const RAPID_TOLERANCE = 0.1;

/** What riskutility calls `cat_tau` of the rule `RCS_conditional`, by default, and of `NCE`, the least that it recommends. */
const [CONDITIONAL_THRESHOLD, ENTROPY_THRESHOLD] = [1, 0.5];

/** What RAPID calls `num_delta`: keeps the relative error of numbers near zero finite. */
const SMOOTHING = 0.01;

/** What the logarithm of a smaller probability is taken of. */
const LEAST_PROBABILITY = 1e-10;

/** Why there is nothing to predict. */
const ONE_CATEGORY = 'All records of the table have one category of this target, so that nothing is left to predict.';

/** Rows that a tree is grown on at most, and trees of the forest: so many that all have about a million rows. */
const MOST_ROWS = 20_000;
const ROWS_OF_FOREST = 1_000_000;
const [FEWEST_TREES, MOST_TREES] = [50, 100];

/** Parts of the trees of one dataset, which show how chance in growing them matters. */
const PARTS = 10;

/** Trees of a forest are grown until nothing is left to divide (Breiman 2001): larger leaves, and pairs left whole, find less of copies. */
const [LEAST_LEAF, LEAST_SPLIT] = [1, 2];

/** Below 0 nothing is pruned. */
const NO_PRUNING = -1;

/** What is learned from the release, and of what. Variables are indices. */
export interface Lesson extends Pick<GrowthSettings, 'minimumLeaf' | 'minimumSplit'> {
  readonly keys: readonly number[];
  readonly target: number;
}

/** From when on a record is at risk: `threshold` for a categorical target, `tolerance` for a continuous one. */
export interface RapidRule {
  readonly threshold: number;
  readonly tolerance: number;
}

/** Rows of a dataset that a tree is grown on. */
const rowsOfTree = (dataset: Table): number => Math.min(dataset.records, MOST_ROWS);

/** Trees of a part of the forest, of so many parts, where each has so many rows. */
const treesOfPart = (rows: number, parts: number): number =>
  Math.ceil(Math.min(MOST_TREES, Math.max(FEWEST_TREES, ROWS_OF_FOREST / rows)) / parts);

/** A bootstrap sample of the rows of a dataset (bagging: Breiman 1996). */
function bootstrapSample(dataset: Table, random: RandomSource): Table {
  const rows = Uint32Array.from({ length: rowsOfTree(dataset) }, () => random.below(dataset.records));
  return chosenRecords(dataset, rows);
}

/**
 * What a tree that is grown on rows of a dataset (Breiman et al. 1984) says of each person by their keys: the probability of their own
 * category of the target, or the number that is expected.
 */
export function learnedValues(rows: Table, people: Table, { keys, target, ...leaves }: Lesson): Float64Array {
  const values = new Float64Array(people.records);
  const truth = people.columns[target]!;
  const tree = growCartTree(rows, target, keys, { ...leaves, complexity: NO_PRUNING });
  dropRecords(tree, people.columns, people.records, ({ from, to }, places) => {
    const inLeaf = valuesInLeaf(tree.donors, from, to);
    for (const place of places) values[place] = inLeaf(truth, place);
  });
  return values;
}

/** What a leaf says of a person: the share of its rows that have the person's category, or the mean of its rows. */
function valuesInLeaf(donors: Column, from: number, to: number): (truth: Column, place: number) => number {
  if (donors.type === 'continuous') {
    const mean = donors.values.subarray(from, to).reduce((sum, value) => sum + value, 0) / (to - from);
    return () => mean;
  }
  const counts = new Map<number, number>();
  for (const code of donors.codes.subarray(from, to)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return (truth, place) => (counts.get(codesOf(truth)[place]!) ?? 0) / (to - from);
}

/** What the forest says of people: of each part what each of its trees says, an element a person. */
interface LearnedPeople {
  readonly people: Table;
  /** Parts are datasets, or of one dataset parts of its trees. */
  readonly values: readonly (readonly Float64Array[])[];
}

/** What is scored: people of the table, and of the control where there is one. */
export interface LearnedScores {
  readonly target: number;
  /** The whole table, of which the shares of categories are. */
  readonly table: Table;
  readonly members: LearnedPeople;
  readonly others: LearnedPeople | null;
}

/** What is found of one target. */
export type LearnedFigures = Omit<LearnedOutcome, 'target' | 'rows' | 'trees'>;

/** What the forest says of some people, and their true values. */
interface Votes {
  readonly votes: Float64Array;
  readonly truth: Column;
}

/** How a prediction is scored, and which scores are a risk. */
interface ScoredRule extends Pick<LearnedOutcome, 'method' | 'threshold'> {
  /** Scores of people, where the records of the table have some votes. */
  readonly scoresOf: (people: Votes, members: Votes) => Float64Array;
  readonly isAtRisk: (score: number) => boolean;
}

/**
 * RAPID (Templ, Thees and Müller 2026): the share of records whose target an intruder predicts, who has learned it from the release. Of a
 * categorical target the share whose normalized gain (g - b) / (1 - b) exceeds a threshold, with g the predicted probability of the
 * true category and b its share in the table (`RCS_marginal`); of a continuous one the share whose symmetric relative error
 * 2 |a - p| / (|a| + |p| + 2 delta) is below a tolerance. The same of the control, by the same model and the same b, and the difference.
 * `rules` are riskutility's other ones: g by its mean over the table's records of the category (`RCS_conditional`), 1 + log g / log K of
 * K categories (`NCE`), and the relative error |a - p| / (|a| + delta) (`stabilised_relative`).
 *
 * All trees vote together: g is the mean of theirs, p their median, since the error is relative and a mean goes by the largest numbers.
 *
 * Errors: people of table and control as samples, by Wilson's interval (1927), which is not 0 where nobody or everybody is found; and how
 * parts of the forest differ, by the jackknife over parts, less what of it is each person's own (Cameron, Gelbach and Miller 2011), which
 * people as a sample hold already.
 *
 * @returns the figures, and the gain or error of each member by the first rule
 * @throws RangeError for a categorical target of one category, of which nothing is left to gain
 */
export function learnedOutcome(
  { target, table, members, others }: LearnedScores,
  rule: RapidRule,
): { figures: LearnedFigures; scores: Float64Array } {
  const isNumber = table.columns[target]!.type === 'continuous';
  if (hasOneCategory(table, target)) throw new RangeError('expected a target of two categories or more');
  const votesOf = isNumber ? mediansOf : meansOf;
  /** By all parts of the forest, then without each; the latter none of a single part. */
  const votes = ({ people, values }: LearnedPeople): Votes[] => {
    const without = values.length < 2 ? [] : values.map((_, l) => values.filter((__, k) => k !== l));
    return [values, ...without].map((parts) => ({ votes: votesOf(parts.flat()), truth: people.columns[target]! }));
  };
  const [ofMembers, ofOthers] = [votes(members), others && votes(others)];
  const rules = isNumber ? numberRules(rule.tolerance) : categoryRules(marginalShares(table, target), rule.threshold);
  const found = rules.map(({ method, threshold, scoresOf, isAtRisk }) => {
    const scored = (people: readonly Votes[]): ScoredPeople => {
      const [scores, ...without] = people.map((own, part) => scoresOf(own, ofMembers[part]!));
      const flags = (own: Float64Array) => Uint8Array.from(own, (score) => (isAtRisk(score) ? 1 : 0));
      return { scores: scores!, share: total(flags(scores!)) / scores!.length, without: without.map(flags) };
    };
    const [ofTable, ofControl] = [scored(ofMembers), ofOthers && scored(ofOthers)];
    return {
      scores: ofTable.scores,
      figures: {
        method,
        threshold,
        confidenceRate: ofTable.share,
        confidenceRateSe: shareError([ofTable]),
        control: ofControl?.share ?? null,
        controlSe: ofControl && shareError([ofControl]),
        difference: ofControl && ofTable.share - ofControl.share,
        differenceSe: ofControl && shareError([ofTable, ofControl]),
      },
    };
  });
  const [first, ...more] = found;
  const counts = { records: members.people.records, controlRecords: others?.people.records ?? null };
  return { figures: { ...first!.figures, ...counts, rules: more.map(({ figures }) => figures) }, scores: first!.scores };
}

/** Files that are learned from and scored: members are records of the table, others people of a control. */
interface LearnedFiles {
  readonly table: Table;
  readonly datasets: readonly Table[];
  readonly members: Table;
  readonly others: Table | null;
}

/**
 * What is found of each target in turn, by trees that are grown on bootstrap samples of each dataset.
 *
 * @param open opens a stream that is not published by its name
 */
export function* predictedTargets(
  { table, datasets, members, others }: LearnedFiles,
  { settings, keys, targets }: OpenedAttack,
  open: (name: string) => RandomStream,
): Generator<{ readonly outcome: LearnedOutcome; readonly scores: Float64Array }> {
  const rule = { threshold: settings.rapidThreshold ?? RAPID_THRESHOLD, tolerance: settings.rapidTolerance ?? RAPID_TOLERANCE };
  const rows = Math.max(...datasets.map(rowsOfTree));
  const parts = datasets.length > 1 ? datasets : Array.from({ length: PARTS }, () => datasets[0]!);
  const trees = treesOfPart(rows, parts.length);
  const people = others === null ? members : stackedTables([members, others]);
  for (const [t, target] of targets.entries()) {
    const named = { target: table.schema.variables[target]!.name, rows, trees: trees * parts.length };
    if (hasOneCategory(table, target)) {
      const counts = { records: members.records, controlRecords: others?.records ?? null };
      const none = { confidenceRate: null, confidenceRateSe: null, control: null, controlSe: null, difference: null, differenceSe: null };
      const outcome = {
        ...named,
        method: 'RCS_marginal' as const,
        threshold: rule.threshold,
        ...counts,
        ...none,
        rules: [],
        reason: ONE_CATEGORY,
      };
      yield { outcome, scores: new Float64Array(members.records).fill(Number.NaN) };
      continue;
    }
    const values = parts.map((dataset, l) => {
      const random = open(`attack/rapid/${t + 1}/${l + 1}`);
      const lesson = { keys, target, minimumLeaf: LEAST_LEAF, minimumSplit: LEAST_SPLIT };
      return Array.from({ length: trees }, () => learnedValues(bootstrapSample(dataset, random), people, lesson));
    });
    const ofPeople = (from: number, to?: number) => values.map((part) => part.map((own) => own.subarray(from, to)));
    const scored = {
      target,
      table,
      members: { people: members, values: ofPeople(0, members.records) },
      others: others && { people: others, values: ofPeople(members.records) },
    };
    const { figures, scores } = learnedOutcome(scored, rule);
    yield { outcome: { ...named, ...figures }, scores };
  }
}

const hasOneCategory = (table: Table, variable: number) =>
  table.columns[variable]!.type === 'categorical' && marginalShares(table, variable).size < 2;

/** How many people of a file are at risk. */
interface ScoredPeople {
  readonly scores: Float64Array;
  readonly share: number;
  /** Who is at risk (1, otherwise 0) without one part of the forest, for each part; none of a single part. */
  readonly without: readonly Uint8Array[];
}

/** Standard error of a share, or of the difference between the shares of two files. */
function shareError(files: readonly ScoredPeople[]): number {
  let variance = 0;
  for (const { share, scores } of files) variance += squared(wilsonError(scores.length, share * scores.length));
  return Math.sqrt(variance + Math.max(0, varianceOverParts(files)));
}

/** Jackknifed variance of a share, or of a difference, over parts of the forest, less that of each person by itself; 0 of one part. */
function varianceOverParts(files: readonly ScoredPeople[]): number {
  const [shares, subtracted] = files.map(({ without }) => without.map((found) => total(found) / found.length));
  const parts = shares!.length;
  if (parts === 0) return 0;
  let squares = squaresAboutMean(shares!.map((share, l) => share - (subtracted?.[l] ?? 0)));
  for (const { without, scores } of files) {
    const own = scores.reduce((sum, _, i) => sum + squaresAboutMean(without.map((found) => found[i]!)), 0);
    squares -= own / (scores.length * scores.length);
  }
  return ((parts - 1) / parts) * squares;
}

const squared = (value: number) => value * value;

function squaresAboutMean(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + squared(value - mean), 0);
}

const meansOf = (trees: readonly Float64Array[]): Float64Array =>
  trees[0]!.map((_, i) => trees.reduce((sum, own) => sum + own[i]!, 0) / trees.length);

const mediansOf = (trees: readonly Float64Array[]): Float64Array =>
  trees[0]!.map((_, i) => quantile(Float64Array.from(trees, (own) => own[i]!).sort(), 0.5));

/** Shares of the categories of a variable. */
function marginalShares({ columns, records }: Table, variable: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const code of codesOf(columns[variable]!)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return new Map(Array.from(counts, ([code, count]) => [code, count / records]));
}

/** Codes of a column that is known to be categorical. */
function codesOf(column: Column): Uint8Array | Uint16Array {
  if (column.type === 'continuous') throw new RangeError('expected a categorical column');
  return column.codes;
}

/** Values of a column that is known to be continuous. */
function valuesOf(column: Column): Float64Array {
  if (column.type === 'categorical') throw new RangeError('expected a continuous column');
  return column.values;
}

/** Rules for the probabilities of true categories, by their shares in the table. */
const categoryRules = (shares: ReadonlyMap<number, number>, threshold: number): ScoredRule[] => {
  const above = (least: number) => (score: number) => score > least;
  return [
    {
      ...{ method: 'RCS_marginal', threshold, isAtRisk: above(threshold) },
      // Of a category that nobody in the table has the baseline is 0.
      scoresOf: ({ votes, truth }) =>
        votes.map((probability, i) => {
          const baseline = shares.get(codesOf(truth)[i]!) ?? 0;
          return (probability - baseline) / (1 - baseline);
        }),
    },
    {
      ...{ method: 'RCS_conditional', threshold: CONDITIONAL_THRESHOLD, isAtRisk: above(CONDITIONAL_THRESHOLD) },
      // NaN, which is no risk, of a category whose records all have the probability 0, or that nobody in the table has.
      scoresOf: ({ votes, truth }, members) => {
        const means = meansByCategory(members);
        return votes.map((probability, i) => probability / (means.get(codesOf(truth)[i]!) ?? Number.NaN));
      },
    },
    {
      ...{ method: 'NCE', threshold: ENTROPY_THRESHOLD, isAtRisk: above(ENTROPY_THRESHOLD) },
      scoresOf: ({ votes }) => votes.map((probability) => 1 + log(Math.max(LEAST_PROBABILITY, probability)) / log(shares.size)),
    },
  ];
};

/** Mean probability of the true category among the people of each. */
function meansByCategory({ votes, truth }: Votes): ReadonlyMap<number, number> {
  const [sums, people] = [new Map<number, number>(), new Map<number, number>()];
  for (const [i, code] of codesOf(truth).entries()) {
    sums.set(code, (sums.get(code) ?? 0) + votes[i]!);
    people.set(code, (people.get(code) ?? 0) + 1);
  }
  return new Map(Array.from(sums, ([code, sum]) => [code, sum / people.get(code)!]));
}

/** Rules for predicted numbers: relative errors that are below a tolerance. */
const numberRules = (tolerance: number): ScoredRule[] => {
  const below = { threshold: tolerance, isAtRisk: (score: number) => score < tolerance };
  const errors = (relativeTo: (own: number, predicted: number) => number) => (people: Votes) =>
    people.votes.map((value, i) => {
      const own = valuesOf(people.truth)[i]!;
      return Math.abs(own - value) / relativeTo(Math.abs(own), Math.abs(value));
    });
  return [
    { ...below, method: 'symmetric', scoresOf: errors((own, predicted) => (own + predicted) / 2 + SMOOTHING) },
    { ...below, method: 'stabilised_relative', scoresOf: errors((own) => own + SMOOTHING) },
  ];
};
