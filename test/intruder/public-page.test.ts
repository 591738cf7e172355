import { describe, expect, it } from 'vitest';
import type { AddedFigure, PublicFigure, PublicSummary } from '../../shared/contracts/release/public-summary.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { publishSummary } from '../../shared/pipeline/public/publish-summary.ts';
import { noiseScale, PAGE_NATS } from '../../shared/pipeline/public/told-figure.ts';
import { KeyedStreams } from '../../shared/random/streams.ts';
import { COUNT_SETTINGS, smallConfig, smallTable } from '../pipeline/small-run.ts';
import { guessedSummary, possibleValues, type Released, release } from './guessed-summaries.ts';

/** Pages that are made of every truth. */
const PAGES = 100;
/** Pages that the intruder makes of every guess to learn how probable each figure is. */
const OWN_PAGES = 2000;

let pagesMade = 0;

/** A page with noise from a key that no other page of this file has; the same one whenever the file is run. */
function page(summary: Summary): PublicSummary {
  const key = new Uint8Array(32);
  new DataView(key.buffer).setUint32(0, ++pagesMade);
  const streams = new KeyedStreams(key, 1);
  return publishSummary(summary, (name) => streams.openReleased(name));
}

const figuresOf = ({ attributeRisk, oneWayTotalVariation, twoWayTotalVariation }: PublicSummary) => [
  ...attributeRisk.flatMap((risk) => [risk.probabilityTrueBefore, risk.probabilityTrueAfter, risk.probabilityTrueAdded]),
  ...[oneWayTotalVariation, twoWayTotalVariation],
];

const asText = (figure: PublicFigure | AddedFigure) => JSON.stringify(figure);

/**
 * How often the intruder is right who says of each page for which guess it is the most probable.
 *
 * @param summaries of the run, had the record each of the values
 * @param own what the intruder finds for each of them
 */
function shareRight(summaries: readonly Summary[], own: readonly Summary[]): number {
  const learnt = own.map((summary) => {
    const counts = figuresOf(page(summary)).map(() => new Map<string, number>());
    for (let p = 0; p < OWN_PAGES; p++) {
      figuresOf(page(summary)).forEach((figure, f) => {
        counts[f]!.set(asText(figure), (counts[f]!.get(asText(figure)) ?? 0) + 1);
      });
    }
    return counts;
  });
  let right = 0;
  for (const [truth, summary] of summaries.entries()) {
    for (let p = 0; p < PAGES; p++) {
      const seen = figuresOf(page(summary));
      const scores = learnt.map((counts) =>
        seen.reduce((sum, figure, f) => sum + Math.log((counts[f]!.get(asText(figure)) ?? 0) + 0.5), 0),
      );
      const best = Math.max(...scores);
      const first = scores.flatMap((score, x) => (score === best ? [x] : []));
      if (first.includes(truth)) right += 1 / first.length;
    }
  }
  return right / (summaries.length * PAGES);
}

async function summariesOf(released: Released, record: number): Promise<Summary[]> {
  const found: Summary[] = [];
  for (const value of possibleValues(released)) found.push(await guessedSummary(released, record, value));
  return found;
}

/** By how much a figure moves over guesses at most, times the records. */
const movesBy = (summaries: readonly Summary[], figure: (summary: Summary) => number) => {
  const values = summaries.map(figure);
  return summaries[0]!.table.records * (Math.max(...values) - Math.min(...values));
};

/** Each number that a page tells, by how much it moves over guesses against what its noise takes for granted. */
function movesTaken(summaries: readonly Summary[], taken: number): number[] {
  const ofRisk = (figure: 'Before' | 'BeforeSe' | 'After' | 'AfterSe') =>
    movesBy(summaries, ({ attributeRisk: [risk] }) => risk![`probabilityTrue${figure}`]!) / taken;
  return [
    ...(['Before', 'BeforeSe', 'After', 'AfterSe'] as const).map(ofRisk),
    movesBy(summaries, ({ utility }) => utility!.figures.oneWayTotalVariation!),
    movesBy(summaries, ({ utility }) => utility!.figures.twoWayTotalVariation!),
  ];
}

/** Three standard errors of the share of pages that is right by chance alone. */
const threeErrors = (chance: number, { length }: readonly Summary[]) => 3 * Math.sqrt((chance * (1 - chance)) / (PAGES * length));

// The more epsilon, the more a release follows single records: of 1,000 it is nearly the table itself.
describe.each([30, 1000])('of a model of counts, whose figures are exact (epsilon %i)', (epsilon) => {
  const config = smallConfig({ ...COUNT_SETTINGS, model: { name: 'dirichlet-multinomial', epsilon } });

  it('a public page tells guesses at a record apart no better than chance, though all digits would', async () => {
    const released = await release(smallTable({ records: 400, seed: 5 }), config, 'education');
    const chance = 1 / possibleValues(released).length;
    for (const record of [0, 17, 34, 51]) {
      const summaries = await summariesOf(released, record);
      expect(shareRight(summaries, summaries)).toBeLessThan(chance + threeErrors(chance, summaries));
      // The same attack on a page with the noise of a table ten thousand times as large.
      const told = summaries.map((summary) => ({ ...summary, table: { ...summary.table, records: 4e6 } }));
      expect(shareRight(told, told)).toBeGreaterThan(0.9);
      // What the noise takes for granted, and what it then promises of the page as a whole.
      const moves = movesTaken(summaries, 4);
      expect(Math.max(...moves)).toBeLessThanOrEqual(1);
      const { numbers } = page(summaries[0]!).noise;
      expect(numbers).toBe(moves.length);
      const nats = moves.reduce((sum, most) => sum + most / 400 / noiseScale(1, 400, numbers), 0);
      expect(nats).toBeLessThanOrEqual(PAGE_NATS);
    }
  });
});

describe.each([
  ['fully', {}],
  ['partially', { synthesized: ['education'] }],
])('of a DPMPM, %s synthetic', (_, synthesis) => {
  it('a public page tells guesses at a record apart no better than chance to who runs the program himself', async () => {
    const released = await release(smallTable({ records: 300, seed: 5 }), smallConfig({ synthesis }), 'education');
    const chance = 1 / possibleValues(released).length;
    for (const record of [3, 20]) {
      // One is run by the agency, for whichever value is the true one; the other by the intruder.
      const [told, own] = [await summariesOf(released, record), await summariesOf(released, record)];
      const right = shareRight(told, own);
      expect(right).toBeLessThan(chance + threeErrors(chance, told));
    }
  });
});
