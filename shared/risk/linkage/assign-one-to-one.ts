import munkres from 'munkres';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { exp } from '../../numeric/portable-math.ts';
import type { CandidatePairs } from './candidate-pairs.ts';
import { type Judgement, type Links, NO_RECORD, scoreOf } from './link-records.ts';

/** Costs that an assignment may hold at once: 128 MiB. */
const MOST_COSTS = 1 << 24;

const MOST_LINKS = 2e7;

const ROWS_A_STEP = 1024;

interface Edge {
  readonly row: number;
  readonly record: number;
  readonly score: number;
}

/**
 * Links of which no record of the file has more than one: those of the largest sum of scores, by the Hungarian algorithm
 * (Munkres 1957) on each set of rows and records that candidates connect. Pairs without a positive score are left
 * unlinked. A link is unique where no exchange of it for another one leaves the sum as large.
 *
 * @returns stepwise: rows of the release
 * @throws UnsupportedOptionError `assignment-too-large`
 */
export function* assignOneToOne(pairs: CandidatePairs, links: Links, { weights, tolerance }: Judgement): Stepwise<Links> {
  const edges: Edge[] = [];
  for (let row = 0; row < links.best.length; row++) {
    const candidates = pairs.find(row, tolerance);
    for (let place = 0; place < candidates; place++) {
      const score = scoreOf(weights, pairs.levels, place * weights.length);
      if (score > 0) edges.push({ row, record: pairs.candidates[place]!, score });
    }
    if (edges.length > MOST_LINKS) throw tooLarge(`more than ${MOST_LINKS} links`);
    if (row % ROWS_A_STEP === 0) yield row;
  }
  const best = new Int32Array(links.best.length).fill(NO_RECORD);
  const scores = new Float64Array(best.length).fill(Number.NaN);
  const ties = new Uint32Array(best.length);
  for (const component of components(edges)) assign(component, best, scores, ties);
  const probabilities = links.probabilities.map((probability, row) =>
    // An assigned link that is not the best of its row has what its odds against that leave.
    best[row] === NO_RECORD ? 0 : probability * exp((scores[row]! - links.scores[row]!) * Math.LN2),
  );
  return { ...links, best, scores, ties, probabilities };
}

const tooLarge = (what: string) =>
  new UnsupportedOptionError(
    'assignment-too-large',
    `One-to-one links would have to be chosen among ${what}: leave --one-to-one out, or compare more variables.`,
  );

function components(edges: readonly Edge[]): Edge[][] {
  const parent = new Map<number, number>();
  const rootOf = (node: number): number => {
    let root = node;
    for (let above = parent.get(root) ?? root; above !== root; above = parent.get(root) ?? root) root = above;
    for (let at = node; at !== root; ) {
      const above = parent.get(at) ?? root;
      parent.set(at, root);
      at = above;
    }
    return root;
  };
  // Rows are even numbers, records odd ones.
  for (const { row, record } of edges) parent.set(rootOf(2 * row), rootOf(2 * record + 1));
  const byRoot = new Map<number, Edge[]>();
  for (const edge of edges) {
    const root = rootOf(2 * edge.row);
    const component = byRoot.get(root);
    if (component) component.push(edge);
    else byRoot.set(root, [edge]);
  }
  return [...byRoot.values()];
}

function assign(edges: readonly Edge[], best: Int32Array, scores: Float64Array, ties: Uint32Array): void {
  const rows = [...new Set(edges.map(({ row }) => row))];
  const records = [...new Set(edges.map(({ record }) => record))];
  if (rows.length * records.length > MOST_COSTS) throw tooLarge(`${rows.length} rows and ${records.length} records that all hang together`);
  const rowPlace = new Map(rows.map((row, place) => [row, place]));
  const recordPlace = new Map(records.map((record, place) => [record, place]));
  // No link costs nothing, so that a pair without one is never better than leaving both alone.
  const costs = rows.map(() => new Float64Array(records.length));
  for (const { row, record, score } of edges) costs[rowPlace.get(row)!]![recordPlace.get(record)!] = -score;
  const columnOfRow = new Int32Array(rows.length).fill(NO_RECORD);
  const rowOfColumn = new Int32Array(records.length).fill(NO_RECORD);
  for (const [r, c] of munkres(costs)) {
    if (!(costs[r]![c]! < 0)) continue;
    columnOfRow[r] = c;
    rowOfColumn[c] = r;
  }
  for (const [r, c] of columnOfRow.entries()) {
    if (c === NO_RECORD) continue;
    best[rows[r]!] = records[c]!;
    scores[rows[r]!] = -costs[r]![c]!;
    ties[rows[r]!] = 1 + exchanges(costs, columnOfRow, rowOfColumn, r);
  }
}

/** How many other records a row could have at no loss, where whoever has one takes its own in exchange. */
function exchanges(costs: readonly Float64Array[], columnOfRow: Int32Array, rowOfColumn: Int32Array, row: number): number {
  const assigned = columnOfRow[row]!;
  let count = 0;
  for (let record = 0; record < rowOfColumn.length; record++) {
    if (record === assigned || !(costs[row]![record]! < 0)) continue;
    const holder = rowOfColumn[record]!;
    const now = costs[row]![assigned]! + (holder === NO_RECORD ? 0 : costs[holder]![record]!);
    const then = costs[row]![record]! + (holder === NO_RECORD ? 0 : costs[holder]![assigned]!);
    if (then <= now) count++;
  }
  return count;
}
