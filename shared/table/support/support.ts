import { InvalidTableError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { CombinationsOfRecords } from '../combinations.ts';
import type { StructuralZeros } from './read-structural-zeros.ts';

/** Boxes of one kind that rules may come to: each costs work in every iteration of the sampler. */
const MOST_BOXES = 20_000;

/** A product of sets of categories: of the variables that have a side some, rising, and of all others all. */
export type Box = readonly { readonly variable: number; readonly categories: readonly number[] }[];

/** The cells of a cross-classification, divided into boxes: each cell is in exactly one, of one kind or the other. */
export interface Support {
  readonly possible: readonly Box[];
  readonly impossible: readonly Box[];
}

/** A rule in the variables that are not decided yet: variable and code by turns, by variable. */
type Rest = readonly number[];

/** What rules leave to be forbidden, each once and in a fixed order; undefined when one of them leaves nothing open. */
function leftOver(rests: readonly Rest[]): readonly Rest[] | undefined {
  if (rests.some((rest) => rest.length === 0)) return undefined;
  const byText = new Map(rests.map((rest) => [rest.join(), rest]));
  return [...byText.keys()].sort().map((text) => byText.get(text)!);
}

/** The variable that most rules fix, the first of several. */
function mostFixed(rests: readonly Rest[], variables: number): number {
  const fixed = new Uint32Array(variables);
  for (const rest of rests) {
    for (let i = 0; i < rest.length; i += 2) fixed[rest[i]!]!++;
  }
  return fixed.indexOf(Math.max(...fixed));
}

/** What is left of the rules when a variable has a category. */
function given(rests: readonly Rest[], variable: number, code: number): Rest[] {
  const left: Rest[] = [];
  for (const rest of rests) {
    const at = rest.findIndex((value, i) => i % 2 === 0 && value === variable);
    if (at < 0) left.push(rest);
    else if (rest[at + 1] === code) left.push(rest.toSpliced(at, 2));
  }
  return left;
}

/**
 * Divides all cells into boxes that structural zeros forbid and boxes that they leave, without overlap. Rules
 * overlap, and the sampler needs them disjoint (Manrique-Vallier & Reiter 2014, section 3.2, who split them into
 * disjoint rules of single categories). Here cells are divided variable by variable, the one that most rules fix
 * first, and categories stay together of which the rules leave the same: fewer boxes, and those of the possible
 * cells as well.
 *
 * @param sizes number of categories of each variable
 * @throws UnsupportedOptionError `too-many-structural-zeros`, when there are more than 20,000 boxes of a kind, and
 * `nothing-possible`, when the rules forbid every cell
 */
export function supportOf({ rules, codes }: StructuralZeros, sizes: readonly number[]): Support {
  const variables = sizes.length;
  const possible: Box[] = [];
  const impossible: Box[] = [];
  const add = (boxes: Box[], sides: Box) => {
    boxes.push(sides.toSorted((a, b) => a.variable - b.variable));
    if (boxes.length <= MOST_BOXES) return;
    throw new UnsupportedOptionError(
      'too-many-structural-zeros',
      `The structural zeros fall into more than ${MOST_BOXES} sets of cells that do not overlap: fewer rules, or rules on fewer variables, are needed.`,
    );
  };
  const divide = (rests: readonly Rest[] | undefined, sides: Box): void => {
    if (rests === undefined || rests.length === 0) {
      add(rests === undefined ? impossible : possible, sides);
      return;
    }
    const variable = mostFixed(rests, variables);
    const branches = new Map<string, { rests: readonly Rest[] | undefined; categories: number[] }>();
    for (let code = 0; code < sizes[variable]!; code++) {
      const left = leftOver(given(rests, variable, code));
      const text = left?.map((rest) => rest.join()).join(';') ?? 'forbidden';
      const branch = branches.get(text);
      if (branch) branch.categories.push(code);
      else branches.set(text, { rests: left, categories: [code] });
    }
    for (const { rests: left, categories } of branches.values()) {
      const whole = categories.length === sizes[variable]!;
      divide(left, whole ? sides : [...sides, { variable, categories }]);
    }
  };
  const all = Array.from({ length: rules }, (_, r) =>
    sizes.flatMap((size, k) => {
      const code = codes[r * variables + k]!;
      return code === size ? [] : [k, code];
    }),
  );
  divide(leftOver(all), []);
  if (possible.length === 0) {
    throw new UnsupportedOptionError('nothing-possible', 'The structural zeros together forbid every combination of categories.');
  }
  return { possible, impossible };
}

/**
 * True when a box holds the cell at `codes[offset ...]` or, where values are missing (a code that is the number of
 * categories), a cell that the record could be.
 */
export function holds(box: Box, codes: Uint16Array, offset: number, sizes: readonly number[]): boolean {
  return box.every(({ variable, categories }) => {
    const code = codes[offset + variable]!;
    return code === sizes[variable]! || categories.includes(code);
  });
}

/** True when the cell at `codes[offset ...]` is impossible or, where values are missing, could be. */
export function isImpossible({ impossible }: Support, codes: Uint16Array, offset: number, sizes: readonly number[]): boolean {
  return impossible.some((box) => holds(box, codes, offset, sizes));
}

/** True when some possible cell has two variables' categories, each given as variable and code. */
export function isPossiblePair({ possible }: Support, ...pair: readonly [variable: number, code: number][]): boolean {
  return possible.some((box) =>
    box.every(({ variable, categories }) => pair.every(([own, code]) => own !== variable || categories.includes(code))),
  );
}

/** Boxes as few as merging two at a time along a variable makes them, where they differ in it alone. */
function mergeAlong(boxes: readonly Box[], variable: number, size: number): Box[] {
  const merged = new Map<string, { rest: Box; categories: number[] }>();
  for (const box of boxes) {
    const rest = box.filter((side) => side.variable !== variable);
    const own = box.find((side) => side.variable === variable)?.categories ?? Array(size).keys();
    const text = rest.map((side) => `${side.variable}:${side.categories.join()}`).join(';');
    const entry = merged.get(text);
    if (entry) entry.categories.push(...own);
    else merged.set(text, { rest, categories: [...own] });
  }
  return [...merged.values()].map(({ rest, categories }) =>
    categories.length === size
      ? rest
      : [...rest, { variable, categories: categories.sort((a, b) => a - b) }].sort((a, b) => a.variable - b.variable),
  );
}

/** The same cells in fewer boxes without a cell in common: two that differ in one variable alone become one, until none do. */
export function mergeBoxes(boxes: readonly Box[], sizes: readonly number[]): readonly Box[] {
  let merged = boxes;
  for (let before = Infinity; merged.length < before; ) {
    before = merged.length;
    for (const [variable, size] of sizes.entries()) merged = mergeAlong(merged, variable, size);
  }
  return merged;
}

/** Row numbers that a message names at most. */
const NAMED_ROWS = 10;

/**
 * Refuses a table with records that structural zeros forbid: the model gives them probability zero. A record with
 * missing values is one of them when no values in their place would do.
 *
 * @throws InvalidTableError `impossible-records`, with the number of records and the first rows
 */
export function refuseImpossibleRecords(
  { combinations, combinationOfRecord }: CombinationsOfRecords,
  sizes: readonly number[],
  { possible }: Support,
): void {
  const { count, variables, codes } = combinations;
  const isPossible = Array.from({ length: count }, (_, row) => possible.some((box) => holds(box, codes, row * variables, sizes)));
  const rows: number[] = [];
  let records = 0;
  for (const [record, combination] of combinationOfRecord.entries()) {
    if (isPossible[combination]) continue;
    if (records++ < NAMED_ROWS) rows.push(record + 1);
  }
  if (records === 0) return;
  const more = records > rows.length ? ', and so on' : '';
  throw new InvalidTableError(
    'impossible-records',
    `records that are impossible by the structural zeros: ${records}, in rows ${rows.join(', ')}${more}; expected none: correct them, or the file of structural zeros`,
    { row: rows[0]! },
  );
}
