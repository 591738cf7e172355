import type { ScoredDraw } from '../../model/chains/chain-draws.ts';
import type { Allocation } from '../../model/chains/chain-sampler.ts';
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

/**
 * phi in the mean given the classes of all records of the table, of whom nobody is left out; the empty classes as one.
 *
 * @param probabilities room for it
 */
function integrated(
  weights: Float64Array,
  allocation: Pick<Allocation, 'counts'>,
  offsets: Uint32Array,
  probabilities: Float64Array,
): Mixture {
  const { classes, counts, weights: ofClasses } = occupiedClasses(weights, allocation);
  for (let k = 0; k + 1 < offsets.length; k++) {
    const [first, end] = [offsets[k]! * classes, offsets[k + 1]! * classes];
    for (let f = 0; f < classes; f++) {
      let total = offsets[k + 1]! - offsets[k]!;
      for (let at = first + f; at < end; at += classes) total += counts[at]!;
      for (let at = first + f; at < end; at += classes) probabilities[at] = (counts[at]! + 1) / total;
    }
  }
  return { weights: ofClasses, probabilities };
}

/** The distinct values that people have on some of the variables, as places of categories, and whose each is. */
function halfOfVariables(codes: Uint16Array, sizes: readonly number[], variables: readonly number[]) {
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
  return { places, valueOfRow };
}

/** What every class gives each of some values, times a factor of the class, into values x classes. */
function products(places: readonly Uint32Array[], probabilities: Float64Array, factors: Float64Array, into: Float64Array): void {
  const classes = factors.length;
  for (let value = 0; value < places.length; value++) {
    const at = value * classes;
    into.set(factors, at);
    for (const category of places[value]!) {
      const from = category * classes;
      for (let f = 0; f < classes; f++) into[at + f]! *= probabilities[from + f]!;
    }
  }
}

/** Finds the density of what is observed of each of some people under draws of the parameters. */
export interface PersonDensities {
  /** Room for draws of so many classes at most; what it gives for a draw, an entry a person, is overwritten by the next. */
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
  const roomFor = (classes: number) => new Float64Array(offsets[sizes.length]! * classes);
  const mixtureOf = ({ weights, probabilities, allocation }: ScoredDraw, room?: Float64Array): Mixture =>
    allocation ? integrated(weights, allocation, offsets, room ?? roomFor(weights.length)) : { weights, probabilities };
  return {
    open(mostClasses) {
      const room = roomFor(mostClasses);
      const lefts = new Float64Array(left.places.length * mostClasses);
      const rights = new Float64Array(right.places.length * mostClasses);
      const ones = new Float64Array(mostClasses).fill(1);
      const densities = new Float64Array(codes.length / sizes.length);
      return (draw) => {
        const { weights, probabilities } = mixtureOf(draw, room);
        const classes = weights.length;
        products(left.places, probabilities, weights, lefts);
        products(right.places, probabilities, ones.subarray(0, classes), rights);
        for (let person = 0; person < densities.length; person++) {
          const [ofLeft, ofRight] = [left.valueOfRow[person]! * classes, right.valueOfRow[person]! * classes];
          let density = 0;
          for (let f = 0; f < classes; f++) density += lefts[ofLeft + f]! * rights[ofRight + f]!;
          densities[person] = density;
        }
        return densities;
      };
    },
    logDensity(draw, person) {
      const places = [...left.places[left.valueOfRow[person]!]!, ...right.places[right.valueOfRow[person]!]!];
      return logDensity(mixtureOf(draw), places);
    },
  };
}

function logDensity({ weights, probabilities }: Mixture, places: readonly number[]): number {
  const classes = weights.length;
  const logs = weights.map((weight, f) => places.reduce((sum, place) => sum + log(probabilities[place * classes + f]!), log(weight)));
  return logSumExp(logs);
}
