import { log } from '../../shared/numeric/portable-math.ts';
import { type CandidateSpace, unknownIndex } from '../../shared/risk/intruder/candidate-space.ts';
import { knownColumns, logRatios, SAFE_DENSITY } from '../../shared/risk/scoring/log-ratios.ts';
import type { RatioScorer } from '../../shared/risk/scoring/ratio-scorer.ts';
import { headVariables, leftVariables } from '../../shared/risk/scoring/variable-cut.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';

/** Product of two vectors over classes. */
function product(a: Float64Array, b: Float64Array): Float64Array {
  const result = new Float64Array(a.length);
  for (let f = 0; f < a.length; f++) result[f] = a[f]! * b[f]!;
  return result;
}

/** A vector over classes that is changed in one variable: the product over the others, and the category's vector. */
type Changed = readonly [others: Float64Array, category: Float64Array];

/**
 * Sum over classes of the products of a changed vector and another: the even classes, plus the odd ones, as the kernel's
 * two lanes do.
 */
function dot([others, category]: Changed, vector: Float64Array): number {
  let even = 0;
  let odd = 0;
  for (let f = 0; f < vector.length; f += 2) even += others[f]! * category[f]! * vector[f]!;
  for (let f = 1; f < vector.length; f += 2) odd += others[f]! * category[f]! * vector[f]!;
  return even + odd;
}

/** phi_k of a draw: the vector over classes of category `code` of variable `k`. */
type CategoryVector = (k: number, code: number) => Float64Array;

/** Densities of every candidate of one combination, in the order of `CandidateSpace`, and which of them is the truth. */
type Densities = (weights: Float64Array, phi: CategoryVector, own: Uint16Array) => { densities: number[]; truth: number };

/**
 * The scorer in plain TypeScript: the program to read, and the oracle of the kernel behind `createRatioScorer`.
 *
 * A density is a sum over classes of a product over variables. The variables are cut in two, so that each candidate costs
 * one dot product of a vector for the left part and a vector for the right part, both changed or not.
 *
 * @param codes combinations x columns
 * @param variableOfColumn as `createRatioScorer` takes it
 */
export function createReferenceScorer(
  space: CandidateSpace,
  codes: Uint16Array,
  variableOfColumn: readonly number[] = [...space.sizes.keys()],
): RatioScorer {
  const { sizes, perCombination } = space;
  const variables = sizes.length;
  const columns = variableOfColumn.length;
  const offsets = categoryOffsets(sizes);
  const score = space.kind === 'unknown' ? unknownDensities(space, variableOfColumn) : changeDensities(space);
  return (weights, probabilities, ratios, logWeights) => {
    const classes = weights.length;
    const vectors = Array.from({ length: offsets[variables]! }, (_, category) =>
      probabilities.subarray(category * classes, (category + 1) * classes),
    );
    const ones = new Float64Array(classes).fill(1);
    const phi: CategoryVector = (k, code) => (code === sizes[k] ? ones : vectors[offsets[k]! + code]!);
    for (let row = 0; row < codes.length / columns; row++) {
      const own = codes.subarray(row * columns, (row + 1) * columns);
      const rowRatios = ratios.subarray(row * perCombination, (row + 1) * perCombination);
      const { densities, truth } = score(weights, phi, own);
      if (!(densities[truth]! > SAFE_DENSITY)) {
        const logWeight = logRatios(space, { own, variableOfColumn }, { weights, probabilities }, rowRatios);
        if (logWeights) logWeights[row] = logWeight;
        continue;
      }
      const scale = 1 / densities[truth]!;
      if (logWeights) logWeights[row] = log(scale);
      rowRatios[0] = 1;
      // The truth comes first; the values before it move up by one.
      for (let x = 0; x < truth; x++) rowRatios[x + 1] = densities[x]! * scale;
      for (let x = truth + 1; x < perCombination; x++) rowRatios[x] = densities[x]! * scale;
    }
  };
}

/** A half of a combination: the product over its variables, and the same product with one change and with two. */
interface Half {
  readonly full: Float64Array;
  /** For each change in turn. */
  readonly changed: readonly Changed[];
  /** For each change in turn, every change of a later variable of the half beside it. */
  readonly changedTwice: readonly (readonly Changed[])[];
}

function changeDensities({ kind, sizes }: CandidateSpace): Densities {
  const middle = leftVariables(sizes);
  const twice = kind === 'two-changes';
  return (weights, phi, own) => {
    const ones = new Float64Array(weights.length).fill(1);
    const left = halfOf(weights, 0, middle, sizes, phi, own, twice);
    const right = halfOf(ones, middle, sizes.length, sizes, phi, own, twice);
    const densities = [
      dot([left.full, ones], right.full),
      ...left.changed.map((changed) => dot(changed, right.full)),
      ...right.changed.map((changed) => dot(changed, left.full)),
    ];
    if (twice) {
      for (const [i, changed] of left.changed.entries()) {
        densities.push(...left.changedTwice[i]!.map((pair) => dot(pair, right.full)));
        const vector = product(...changed);
        densities.push(...right.changed.map((other) => dot(other, vector)));
      }
      for (const pairs of right.changedTwice) densities.push(...pairs.map((pair) => dot(pair, left.full)));
    }
    return { densities, truth: 0 };
  };
}

/** The half of variables `from` to `to`, whose products begin with `empty`. */
function halfOf(
  empty: Float64Array,
  from: number,
  to: number,
  sizes: readonly number[],
  phi: CategoryVector,
  own: Uint16Array,
  twice: boolean,
): Half {
  // after[k]: the product over the variables of the half after k, from the right.
  const after: Float64Array[] = [];
  after[to - 1] = new Float64Array(empty.length).fill(1);
  for (let k = to - 2; k >= from; k--) after[k] = product(after[k + 1]!, phi(k + 1, own[k + 1]!));
  const changesAfter = (prefix: Float64Array, first: number, visit: (changed: Changed) => void) => {
    let before = prefix;
    for (let k = first; k < to; k++) {
      const others = product(before, after[k]!);
      // There are always as many changes, though a missing value is none of the categories.
      const end = own[k] === sizes[k] ? sizes[k]! - 1 : sizes[k]!;
      for (let c = 0; c < end; c++) if (c !== own[k]) visit([others, phi(k, c)]);
      before = product(before, phi(k, own[k]!));
    }
    return before;
  };
  const changed: Changed[] = [];
  const full = changesAfter(empty, from, (one) => changed.push(one));
  const changedTwice: Changed[][] = [];
  let before = empty;
  for (let j = from; twice && j < to; j++) {
    for (let c = 0; c < sizes[j]!; c++) {
      if (c === own[j]) continue;
      const pairs: Changed[] = [];
      changesAfter(product(before, phi(j, c)), j + 1, (pair) => pairs.push(pair));
      changedTwice.push(pairs);
    }
    before = product(before, phi(j, own[j]!));
  }
  return { full, changed, changedTwice };
}

function unknownDensities(space: CandidateSpace, variableOfColumn: readonly number[]): Densities {
  const { sizes, unknown } = space;
  const known = knownColumns(unknown, variableOfColumn);
  const head = headVariables(unknown.map((k) => sizes[k]!));
  /** The products of a vector with every value of some variables, the last fastest. */
  const products = (from: Float64Array, variables: readonly number[], phi: CategoryVector) =>
    variables.reduce(
      (vectors, k) => vectors.flatMap((vector) => Array.from({ length: sizes[k]! }, (_, c) => product(vector, phi(k, c)))),
      [from],
    );
  return (weights, phi, own) => {
    const ofKnown = known.reduce((vector, column) => product(vector, phi(variableOfColumn[column]!, own[column]!)), weights);
    const ones = new Float64Array(weights.length).fill(1);
    const block = products(ones, unknown.slice(head), phi);
    const densities = products(ofKnown, unknown.slice(0, head), phi).flatMap((vector) => block.map((value) => dot([ones, value], vector)));
    return { densities, truth: unknownIndex(space, own) };
  };
}
