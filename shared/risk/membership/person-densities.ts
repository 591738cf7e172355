import type { ScoredDraw } from '../../model/chains/chain-draws.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import { occupiedClasses } from '../scoring/leave-out.ts';
import { groupByValues } from '../scoring/value-groups.ts';

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

/** Finds the density of what is observed of each of some people under draws of the parameters. */
export interface PersonDensities {
  /** For draws of so many classes at most. What it gives of a draw, an entry a person, is overwritten by the next, of whichever chain. */
  readonly open: (mostClasses: number) => (draw: ScoredDraw) => Float64Array;
  /** The logarithm of one of them, which does not underflow. */
  readonly logDensity: (draw: ScoredDraw, person: number) => number;
}

/**
 * The scorer of people (codes: people x variables, missing values as the number after the last category). Given the allocation of
 * a draw phi is integrated out. Variables are taken in two halves, of which people share values.
 */
export function personDensities(codes: Uint16Array, sizes: readonly number[]): PersonDensities {
  const variables = [...sizes.keys()];
  const middle = sizes.length >> 1;
  const left = halfOfVariables(codes, sizes, variables.slice(0, middle));
  const right = halfOfVariables(codes, sizes, variables.slice(middle));
  const offsets = categoryOffsets(sizes);
  const roomFor = (classes: number) => {
    const mixtureOf = mixtures(classes, offsets);
    const room = new Float64Array((sizes.length + 1) * classes);
    const lefts = new Float64Array(left.places.length * classes);
    const rights = new Float64Array(right.places.length * classes);
    const ones = new Float64Array(classes).fill(1);
    const densities = new Float64Array(codes.length / sizes.length);
    const densitiesOf = (draw: ScoredDraw): Float64Array => {
      const { weights, probabilities } = mixtureOf(draw);
      const own = weights.length;
      products(left, probabilities, weights, room, lefts);
      products(right, probabilities, ones.subarray(0, own), room, rights);
      for (let person = 0; person < densities.length; person++) {
        const [ofLeft, ofRight] = [left.valueOfRow[person]! * own, right.valueOfRow[person]! * own];
        let density = 0;
        for (let f = 0; f < own; f++) density += lefts[ofLeft + f]! * rights[ofRight + f]!;
        densities[person] = density;
      }
      return densities;
    };
    return { classes, mixtureOf, densitiesOf };
  };
  let kept: ReturnType<typeof roomFor> | undefined;
  const roomOf = (classes: number) => {
    if (kept?.classes !== classes) kept = roomFor(classes);
    return kept;
  };
  return {
    open: (mostClasses) => roomOf(mostClasses).densitiesOf,
    logDensity(draw, person) {
      const places = [...left.places[left.valueOfRow[person]!]!, ...right.places[right.valueOfRow[person]!]!];
      return logDensity(roomOf(draw.weights.length).mixtureOf(draw), places);
    },
  };
}

function logDensity({ weights, probabilities }: Mixture, places: readonly number[]): number {
  const classes = weights.length;
  const logs = weights.map((weight, f) => places.reduce((sum, place) => sum + log(probabilities[place * classes + f]!), log(weight)));
  return logSumExp(logs);
}
