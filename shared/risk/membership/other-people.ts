import type { ScoredDraw } from '../../model/chains/chain-draws.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Support } from '../../table/support/support.ts';
import { occupiedClasses } from '../scoring/leave-out.ts';
import { groupByValues } from '../scoring/value-groups.ts';
import { type LogMeans, logMean } from './membership-terms.ts';
import { logPossibleShares } from './possible-share.ts';

/** Below this a density may have lost digits to underflow, and is formed again in logs. */
const SAFE_DENSITY = 1e-250;

/** A mixture of products: what every class gives each category, categories of all variables end to end x classes. */
interface Mixture {
  readonly weights: Float64Array;
  readonly probabilities: Float64Array;
}

/** Draws as mixtures: given an allocation with phi integrated out, nobody being left out. Each is in the arrays of the one before. */
function mixtures(classes: number, offsets: Uint32Array): (draw: ScoredDraw) => Mixture {
  const probabilities = new Float64Array(offsets.at(-1)! * classes);
  const totals = new Float64Array(classes);
  const occupiedOf = occupiedClasses(classes, offsets.at(-1)!);
  return (draw) => {
    if (!draw.allocation) return draw;
    const { classes: own, counts, weights } = occupiedOf(draw.weights, draw.allocation);
    for (let k = 0; k + 1 < offsets.length; k++) {
      const [first, end] = [offsets[k]! * own, offsets[k + 1]! * own];
      totals.fill(offsets[k + 1]! - offsets[k]!);
      for (let at = first; at < end; at += own) for (let f = 0; f < own; f++) totals[f]! += counts[at + f]!;
      for (let at = first; at < end; at += own) for (let f = 0; f < own; f++) probabilities[at + f] = (counts[at + f]! + 1) / totals[f]!;
    }
    return { weights, probabilities };
  };
}

/** The distinct values that people have on some of the variables, in lexicographic order. */
interface HalfOfVariables {
  /** The categories of each value, as places among those of all variables end to end; a missing value has none. */
  readonly places: readonly Uint32Array[];
  /** How many categories each value has in common with the one before, from the first on. */
  readonly shared: Uint32Array;
  /** Which value each person has. */
  readonly valueOfRow: Uint32Array;
}

function halfOfVariables(codes: Uint16Array, sizes: readonly number[], variables: readonly number[]): HalfOfVariables {
  const { codes: values, starts, valueOfRow } = groupByValues(codes, sizes.length, variables);
  const offsets = categoryOffsets(sizes);
  const places = Array.from({ length: starts.length - 1 }, (_, value) =>
    Uint32Array.from(
      variables.flatMap((k, at) => {
        const code = values[value * variables.length + at]!;
        // A missing value has any: what is observed is the rest.
        return code === sizes[k] ? [] : [offsets[k]! + code];
      }),
    ),
  );
  const shared = Uint32Array.from(places, (own, value) => {
    const before = places[value - 1] ?? [];
    const apart = own.findIndex((place, at) => place !== before[at]);
    return apart < 0 ? own.length : apart;
  });
  return { places, shared, valueOfRow };
}

/**
 * What every class gives each of some values, times a factor of the class, into values x classes. Values share the products of
 * the categories that they have in common with the one before.
 *
 * @param room (variables + 1) x classes, for the products of the first categories of a value: of none, of one and so on
 */
function products(
  { places, shared }: HalfOfVariables,
  probabilities: Float64Array,
  factors: Float64Array,
  room: Float64Array,
  into: Float64Array,
): void {
  const classes = factors.length;
  room.set(factors);
  for (let value = 0; value < places.length; value++) {
    const own = places[value]!;
    let at = shared[value]! * classes;
    for (let j = shared[value]!; j < own.length; j++, at += classes) {
      const from = own[j]! * classes;
      for (let f = 0; f < classes; f++) room[at + classes + f] = room[at + f]! * probabilities[from + f]!;
    }
    for (let f = 0, to = value * classes; f < classes; f++) into[to + f] = room[at + f]!;
  }
}

/** People who are not in the table. */
export interface OtherPeople {
  readonly people: number;
  /** Logarithms of their mean densities over the draws of a chain, and over the first of them; an entry a person. */
  readonly score: (draws: readonly ScoredDraw[], half: number) => LogMeans;
  /** Where some cells are impossible: logarithms of the probability of all others, an entry a draw. */
  readonly logPossible?: (draws: readonly ScoredDraw[]) => Float64Array;
}

/**
 * Scores people who are not in the table: the logarithm of the mean of f(y | Theta) of what is observed of each, times the number
 * of cells, so that it is on the scale of `density-scorer.ts`. Given the allocation of a draw phi is integrated out, from the
 * records of the table, of which a person who is not there takes nobody away.
 *
 * @param codes people x variables, missing values as the number after the last category
 */
export function otherPeople(codes: Uint16Array, sizes: readonly number[], support?: Support): OtherPeople {
  const people = codes.length / sizes.length;
  const variables = [...sizes.keys()];
  const middle = sizes.length >> 1;
  const left = halfOfVariables(codes, sizes, variables.slice(0, middle));
  const right = halfOfVariables(codes, sizes, variables.slice(middle));
  const logCells = sizes.reduce((sum, size) => sum + log(size), 0);
  const offsets = categoryOffsets(sizes);
  const logPossible = support && ((draws: readonly ScoredDraw[]) => logPossibleShares(draws, support, sizes));
  /** Room for the draws of so many classes, which the chains of a run share. */
  const roomFor = (classes: number) => ({
    classes,
    mixtureOf: mixtures(classes, offsets),
    room: new Float64Array((sizes.length + 1) * classes),
    lefts: new Float64Array(left.places.length * classes),
    rights: new Float64Array(right.places.length * classes),
    ones: new Float64Array(classes).fill(1),
  });
  let kept: ReturnType<typeof roomFor> | undefined;
  const score: OtherPeople['score'] = (draws, half) => {
    const mostClasses = draws[0]!.weights.length;
    if (kept?.classes !== mostClasses) kept = roomFor(mostClasses);
    const { mixtureOf, room, lefts, rights, ones } = kept;
    const possible = logPossible?.(draws);
    const sums = new Float64Array(people);
    const halves = new Float64Array(half > 0 ? people : 0);
    const isSafe = new Uint8Array(people).fill(1);
    for (const [draw, scored] of draws.entries()) {
      const { weights, probabilities } = mixtureOf(scored);
      const classes = weights.length;
      const factor = possible ? exp(-possible[draw]!) : 1;
      products(left, probabilities, weights, room, lefts);
      products(right, probabilities, ones.subarray(0, classes), room, rights);
      for (let person = 0; person < people; person++) {
        const ofLeft = left.valueOfRow[person]! * classes;
        const ofRight = right.valueOfRow[person]! * classes;
        let density = 0;
        for (let f = 0; f < classes; f++) density += lefts[ofLeft + f]! * rights[ofRight + f]!;
        sums[person]! += density * factor;
        if (density < SAFE_DENSITY) isSafe[person] = 0;
      }
      if (draw + 1 === half) halves.set(sums);
    }
    const means = sums.map((sum) => logCells + log(sum / draws.length));
    const ofHalf = halves.map((sum) => logCells + log(sum / half));
    // Rare: a density near underflow is formed again in logs.
    for (let person = isSafe.indexOf(0); person >= 0; person = isSafe.indexOf(0, person + 1)) {
      const places = [...left.places[left.valueOfRow[person]!]!, ...right.places[right.valueOfRow[person]!]!];
      const logs = Float64Array.from(draws, (draw, d) => logCells + logDensity(mixtureOf(draw), places) - (possible?.[d] ?? 0));
      means[person] = logMean(logs);
      if (half > 0) ofHalf[person] = logMean(logs, half);
    }
    return { means, ...(half > 0 ? { half: ofHalf } : {}) };
  };
  return { people, score, ...(logPossible ? { logPossible } : {}) };
}

function logDensity({ weights, probabilities }: Mixture, places: readonly number[]): number {
  const classes = weights.length;
  const logs = weights.map((weight, f) => places.reduce((sum, place) => sum + log(probabilities[place * classes + f]!), log(weight)));
  return logSumExp(logs);
}
