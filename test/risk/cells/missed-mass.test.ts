import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { type FoundCells, SEARCH_CHAINS } from '../../../shared/risk/cells/cell-search.ts';
import { MissedMass } from '../../../shared/risk/cells/missed-mass.ts';
import { searchedCandidates, searchedRows } from '../../../shared/risk/cells/searched-rows.ts';
import { cellOrder } from '../../../shared/risk/intruder/cell-order.ts';

const CELLS = 40;
const random = new RandomStream(21, 'missed');

/** Cells with visits of some chains each, a few with none; every third is scored by one chain alone. */
function someFound(): FoundCells & { readonly visits: { at: number; chain: number; steps: number }[] } {
  const visits = Array.from({ length: CELLS }, (_, at) =>
    at % 7 === 3
      ? []
      : Array.from({ length: 1 + random.below(3) }, (__, i) => ({
          at,
          chain: (5 * at + 11 * i) % SEARCH_CHAINS,
          steps: 1 + random.below(9),
        })).sort((a, b) => a.chain - b.chain),
  );
  const scoredBy = visits.map((own, at) => (at % 3 === 0 && own.length === 1 ? own[0]!.chain : -1));
  const starts = visits.map((_, at) => visits.slice(0, at).flat().length);
  const flat = visits.flat();
  return {
    cells: Float64Array.from({ length: CELLS }, (_, at) => 2 * at),
    logTargets: Float64Array.from({ length: CELLS }, () => 3 * random.uniform()),
    scoredBy: Int16Array.from(scoredBy),
    visitStart: Uint32Array.from([...starts, flat.length]),
    visitChain: Uint8Array.from(flat, ({ chain }) => chain),
    visitSteps: Uint32Array.from(flat, ({ steps }) => steps),
    visits: flat,
  };
}

const found = someFound();
const ROWS = 2;
/** Log-likelihoods, rows x cells: one row rises from cell to cell, so that the largest comes last; one is anywhere. */
const values = Float64Array.from({ length: ROWS * CELLS }, (_, i) => (i < CELLS ? 40 * i : 10 * random.uniform()));

/** Adds blocks of so many cells. */
function missedMass(blockCells: number) {
  const missed = new MissedMass(ROWS, found);
  for (let from = 0; from < CELLS; from += blockCells) {
    const block = new Float64Array(ROWS * blockCells);
    for (let row = 0; row < ROWS; row++) {
      block.set(values.subarray(row * CELLS + from, row * CELLS + Math.min(CELLS, from + blockCells)), row * blockCells);
    }
    missed.add(from, block, blockCells);
  }
  return missed;
}

/** The same by its definition, from all visits at once. */
function byDefinition(row: number) {
  const logs = found.visits.map(({ at }) => values[row * CELLS + at]! - found.logTargets[at]!);
  const largest = Math.max(...logs);
  const weights = found.visits.map(({ steps }, i) => steps * Math.exp(logs[i]! - largest));
  const chains = Array.from({ length: SEARCH_CHAINS }, (_, chain) => {
    const own = found.visits.flatMap((visit, i) => (visit.chain === chain ? [{ visit, weight: weights[i]! }] : []));
    const total = (some: typeof own) => some.reduce((sum, { weight }) => sum + weight, 0);
    return { visited: total(own), alone: total(own.filter(({ visit }) => found.scoredBy[visit.at] === chain)) };
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const missed = chains.reduce((sum, { alone }) => sum + alone, 0) / total;
  const effectiveVisits = (total * total) / weights.reduce((sum, weight) => sum + weight * weight, 0);
  const squares = chains.reduce((sum, { visited, alone }) => sum + (alone - missed * visited) ** 2, 0);
  const between = Math.sqrt((squares * SEARCH_CHAINS) / (SEARCH_CHAINS - 1)) / total;
  return { missed, missedSe: Math.max(between, 1 / effectiveVisits), effectiveVisits };
}

describe('MissedMass', () => {
  it.each([1, 7, 40, 64])('is the share that chains pay to cells of their own, in blocks of %i', (blockCells) => {
    const mass = missedMass(blockCells);
    for (let row = 0; row < ROWS; row++) {
      const figures = mass.figures(row, 1000);
      const expected = byDefinition(row);
      for (const name of ['missed', 'missedSe', 'effectiveVisits'] as const) {
        expect(figures[name], name).toBeCloseTo(expected[name], 10);
      }
    }
    // Of one row the errors are between chains, of the other nearly all weight is on one visit or few.
    expect(byDefinition(1).missed).toBeGreaterThan(0);
  });

  it('is nothing where all cells were found', () => {
    expect(missedMass(40).figures(1, CELLS)).toEqual({
      missed: 0,
      missedSe: 0,
      effectiveVisits: expect.closeTo(byDefinition(1).effectiveVisits, 10),
    });
  });

  it('has no visits before any cell', () => {
    expect(new MissedMass(1, found).figures(0, CELLS).effectiveVisits).toBe(0);
  });
});

describe('searchedRows()', () => {
  it('says what was scored for each combination, and its candidates', () => {
    const listed = { cells: found.cells, positions: Float64Array.of(3, -1) };
    const mass = missedMass(40);
    const rows = searchedRows(listed, mass, cellOrder([10, 10]));
    expect([...rows.cellsFound]).toEqual([CELLS, CELLS]);
    expect([...rows.truthFound]).toEqual([1, 0]);
    for (const [row, figures] of [0, 1].map((one) => mass.figures(one, 100)).entries()) {
      for (const name of ['missed', 'missedSe', 'effectiveVisits'] as const) {
        expect(rows[name][row]).toBe(figures[name]);
      }
    }
    expect([...searchedCandidates(rows)]).toEqual([CELLS, CELLS + 1]);
  });
});
