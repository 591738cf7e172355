import { describe, expect, it } from 'vitest';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import type { RandomSource } from '../../../shared/random/random-source.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { closestRecords } from '../../../shared/risk/attack/closest-records.ts';
import { countPairs } from '../../../shared/risk/attack/disclosure.ts';
import { keyBeliefs, membershipProbabilities } from '../../../shared/risk/attack/key-beliefs.ts';
import { countKeys } from '../../../shared/risk/attack/key-counts.ts';
import { learnedOutcome, learnedValues } from '../../../shared/risk/attack/learned-intruder.ts';
import { populationUniqueness } from '../../../shared/risk/attack/minimal-uniques.ts';
import {
  accuracyFigures,
  adversarialAccuracy,
  identifiabilityRate,
  linkageRisks,
  peerFiles,
  privacyLossError,
} from '../../../shared/risk/attack/near-copies.ts';
import { chosenRecords, stackedTables, type Table } from '../../../shared/table/table.ts';
import { ATTACK_SCHEMA, drawTable, lehmer } from './reference-tables.ts';

const [A, B, C, D, X, Y] = [0, 1, 2, 3, 4, 5];
const RECORDS = 50;
const FIRST = Uint32Array.from({ length: RECORDS }, (_, i) => i);

/** The files of reference-riskutility.R: all have the least and the greatest numbers of any, so that pairs of files have one scale. */
const [table, dataset, control] = (() => {
  const below = lehmer(2024);
  return [1, 2, 3].map(() => {
    const file = drawTable(below, RECORDS);
    for (const [v, ends] of [
      [X, [1000, 4002]],
      [Y, [2000, 5096]],
    ] as const) {
      const column = file.columns[v]!;
      if (column.type === 'continuous') column.values.set(ends);
    }
    return file;
  });
})() as [Table, Table, Table];
/** A release that holds a half of the table. */
const copied = stackedTables([chosenRecords(table, FIRST.subarray(0, 25)), chosenRecords(dataset, FIRST.subarray(25))]);
const random = (name = 'peers', seed = 1) => seededStreams(seed).open(name);
const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
const largest = (values: Float64Array) => Math.max(...values);
const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 10));

// All numbers of this part are what reference-riskutility.R prints.
describe.each([
  [
    'other people',
    dataset,
    {
      ...{ nnaa: [0.64, 0.66, 0.62, 0.51, 0.5, 0.52, -0.13], hitting: [0.12, 0], identifiability: 0.42, presence: [0.66, 0, 1] },
      ...{ linkage: [0.0158333333333, 0], ofC: [3.8933436853, 15.6666666667, 2.13722222729, 2.17701319107] },
      ofD: [0.614465058751, 0.988636363636, 0.958042022226, 0.989587521222],
    },
  ],
  [
    'a half of the table',
    copied,
    {
      ...{ nnaa: [0.17, 0.18, 0.16, 0.41, 0.5, 0.32, 0.24], hitting: [0.52, 0.5], identifiability: 0.7, presence: [0.8, 0.4, 1] },
      ...{ linkage: [0.156428571429, 0.52], ofC: [2.43466758684, 15.6666666667, 2.20075501122, 2.17701319107] },
      ofD: [0.575162337662, 1.27272727273, 1, 0.989587521222],
    },
  ],
] as const)('as riskutility measures it, a release of %s', (_, release, expected) => {
  it('has its adversarial accuracy, of the table and of other people', () => {
    const found = accuracyFigures(adversarialAccuracy(peerFiles({ table, control }, RECORDS, random()), release, random()));
    const { aaTrain, aaTrainLeft, aaTrainRight, aaHoldout, aaHoldoutLeft, aaHoldoutRight, privacyLoss } = found;
    expect([aaTrain, aaTrainLeft, aaTrainRight, aaHoldout, aaHoldoutLeft, aaHoldoutRight, privacyLoss]).toEqual(close(expected.nnaa));
  });

  it('has its hitting rate and its identifiability', () => {
    const { hittingRate, zeroShare } = closestRecords(release, table, null, random()).figures.distanceToClosest;
    expect([hittingRate, zeroShare]).toEqual(close(expected.hitting));
    expect(identifiabilityRate(release, table)).toBeCloseTo(expected.identifiability, 12);
  });

  it('has its delta-presence, and its record linkage', () => {
    const presence = membershipProbabilities(countPairs(table, release, [A, B], C));
    expect([mean(presence), Math.min(...presence), largest(presence)]).toEqual(close(expected.presence));
    const linkage = [
      [A, B],
      [A, B, X],
    ].map((keys) => mean(linkageRisks(release, table, FIRST, keys)));
    expect(linkage).toEqual(close(expected.linkage));
    // Of some of the records, in another order.
    const some = Uint32Array.of(40, 3, 17);
    const all = linkageRisks(release, table, FIRST, [A, B, X]);
    expect([...linkageRisks(release, table, some, [A, B, X])]).toEqual([...some].map((record) => all[record]));
  });

  it.each([
    ['C', C, expected.ofC],
    ['D', D, expected.ofD],
  ])('has its positive information disclosure and maximum leakage of %s', (__, target, values) => {
    const { figures, pid } = keyBeliefs(countPairs(table, release, [A, B], target));
    expect([figures.pidMean, figures.pidMax, figures.maxInfoLeakage, figures.maxInfoLeakageOriginal]).toEqual(close(values));
    expect([mean(pid), largest(pid)]).toEqual(close(values.slice(0, 2)));
  });
});

describe('as riskutility measures a file', () => {
  it('has its surprisal and population uniqueness', () => {
    const keyed = (samplingFraction: number) =>
      countKeys(table, [A, B, C], { samplingFraction, disFraction: samplingFraction, subsetSize: 3 }).figures;
    const { surprisal, sampleUniques } = keyed(0.01);
    expect([surprisal.mean, surprisal.max, sampleUniques]).toEqual(close([4.59856293964, 5.64385618977, 11]));
    const { pitman, zayatz, snb } = keyed(0.01).populationUniqueness;
    expect([pitman, zayatz].map((one) => Object.values(one))).toEqual([
      close([0.916666666667, 0.201666666667, 10.0833333333]),
      close([0.36972963765, 0.0813405202829, 4.06702601415]),
    ]);
    expect(snb.pUnique / 3.68725166891e-79).toBeCloseTo(1, 9);
    const other = keyed(0.2).populationUniqueness;
    expect(other.samplingFraction).toBe(0.2);
    expect([other.pitman, other.zayatz, other.snb].map((one) => Object.values(one))).toEqual([
      close([0.354838709677, 0.078064516129, 3.90322580645]),
      close([0.4096, 0.090112, 4.5056]),
      close([0.000677171155209, 0.000148977654146, 0.0074488827073]),
    ]);
  });

  it('has a probability where no key is alone, none in pairs, or there is one combination', () => {
    for (const counts of [[3, 3], [1, 1, 1], [7], [1]]) {
      const { pitman, zayatz, snb } = populationUniqueness(Uint32Array.from(counts), 0.01);
      for (const { pUnique, populationUniques } of [pitman, zayatz, snb]) {
        expect(pUnique).toBeGreaterThanOrEqual(0);
        expect(pUnique).toBeLessThanOrEqual(1);
        expect(populationUniques).toBe(counts.filter((count) => count === 1).length * pUnique);
      }
    }
  });

  it.each<[string, number, readonly number[]]>([
    ['D', D, [0.62, 0.48, 0.62]],
    ['C', C, [0.16, 0.46, 0.34]],
    ['X', X, [0.2, 0.22]],
    ['Y', Y, [0.58, 0.58]],
  ])('has the rates of all rules of RAPID with a tree of rpart: %s', (_, target, rates) => {
    const keys = [A, B, X, Y].filter((key) => key !== target);
    const of = (people: Table) => ({ people, values: [[learnedValues(dataset, people, { keys, target, minimumLeaf: 3 })]] });
    const { figures } = learnedOutcome({ target, table, members: of(table), others: of(control) }, { threshold: 0.3, tolerance: 0.1 });
    const all = [figures, ...figures.rules];
    expect(all.map(({ confidenceRate }) => confidenceRate)).toEqual(close(rates));
    expect(all.map(({ method, threshold }) => `${method} ${threshold}`)).toEqual(
      rates.length === 3 ? ['RCS_marginal 0.3', 'RCS_conditional 1', 'NCE 0.5'] : ['symmetric 0.1', 'stabilised_relative 0.1'],
    );
    for (const { confidenceRate, control: ofControl, difference, differenceSe } of figures.rules) {
      expect(difference).toBeCloseTo(confidenceRate! - ofControl!, 12);
      expect(differenceSe).toBeGreaterThan(0);
    }
  });
});

describe('a release of the table itself', () => {
  it('is found by all that compare rows with records', () => {
    const files = peerFiles({ table, control }, RECORDS, random());
    const found = accuracyFigures(adversarialAccuracy(files, table, random()));
    expect(found).toMatchObject({ aaTrain: 0, aaTrainLeft: 0, aaTrainRight: 0 });
    expect(found.privacyLoss).toBe(found.aaHoldout);
    expect(identifiabilityRate(table, table)).toBe(1);
    const keys = [A, B, C, D, X, Y];
    expect(mean(linkageRisks(table, table, FIRST, keys))).toBe(1);
    const pairs = countPairs(table, table, [A, B], C);
    expect(mean(membershipProbabilities(pairs))).toBe(1);
    const { figures } = keyBeliefs(pairs);
    expect(figures.maxInfoLeakage).toBe(figures.maxInfoLeakageOriginal);
  });

  it('has no privacy loss without a control, and files of one size', () => {
    const files = peerFiles({ table, control: null }, 20, random());
    const accuracy = adversarialAccuracy(files, dataset, random());
    expect(accuracyFigures(accuracy)).toMatchObject({ aaHoldout: null, aaHoldoutLeft: null, aaHoldoutRight: null, privacyLoss: null });
    expect([accuracy.table.people.length, accuracy.table.rows.length]).toEqual([20, 20]);
    expect(privacyLossError([accuracy])).toBeNull();
    const few = chosenRecords(control, FIRST.subarray(0, 12));
    const { table: own, control: held } = peerFiles({ table, control: few }, RECORDS, random());
    expect([own.people.records, held!.people.records]).toEqual([12, 12]);
  });
});

describe('beliefs by hand', () => {
  /** A key and a target. */
  const file = (rows: readonly (readonly [number, number])[]): Table => ({
    schema: { variables: ATTACK_SCHEMA.variables.slice(0, 2) },
    records: rows.length,
    columns: [0, 1].map((v) => ({ type: 'categorical', codes: Uint8Array.from(rows, (row) => row[v]!) })),
  });

  it('are 0 of keys that the dataset lacks, and of values of the table alone', () => {
    const original = file([
      [0, 0],
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    // The value 2 is nobody's: it takes from the others and is no gain.
    const release = file([
      [0, 0],
      [1, 2],
      [1, 1],
      [1, 2],
    ]);
    const { pid, figures } = keyBeliefs(countPairs(original, release, [0], 1));
    // Key 0: value 0 from 1/4 to 1. Key 1: value 1 from 3/4 to 1/3. Key 2 is in no row.
    expect([...pid]).toEqual(close([3, 3, 1 / 3 / 0.75 - 1, 0]));
    expect(figures.pidMax).toBeCloseTo(3, 12);
    // Shares 1/4, 1/4, 1/2 have 1.5 bits; key 0 leaves none.
    expect(figures.maxInfoLeakage).toBeCloseTo(1.5, 12);
  });

  it('weigh a variable of one value nothing', () => {
    const constant = (codes: number[]) => file(codes.map((code) => [0, code]));
    expect(identifiabilityRate(constant([0, 1, 3]), constant([0, 1, 1, 2]))).toBeCloseTo(2 / 3, 12);
    expect(identifiabilityRate(constant([1, 1]), constant([1, 1]))).toBe(1);
    expect(identifiabilityRate(constant([0, 1]), constant([1, 1]))).toBe(0.5);
  });
});

describe('the error of the privacy loss', () => {
  /** People of two numbers, rounded where many are to be alike. */
  const people = (records: number, source: RandomSource, step: number): Table => {
    const draw = () => Float64Array.from({ length: records }, () => Math.round(normal(source) / step) * step);
    return {
      schema: { variables: ['X', 'Y'].map((name) => ({ name, type: 'continuous' })) },
      records,
      columns: [0, 1].map(() => ({ type: 'continuous', values: draw() })),
    };
  };
  it.each([
    ['one dataset of other people', 1, 0, 1e-6],
    ['three datasets of other people', 3, 0, 1e-6],
    ['three, of which a third is copied', 3, 1 / 3, 1e-6],
    ['three, of rounded values', 3, 0, 0.3],
  ])('is about its spread: %s', (_, datasets, share, step) => {
    const source = random('tables', 5);
    const [losses, squares]: [number[], number[]] = [[], []];
    for (let round = 0; round < 150; round++) {
      const [own, others] = [people(80, source, step), people(80, source, step)];
      const files = peerFiles({ table: own, control: others }, 80, source);
      const copies = Math.round(80 * share);
      const accuracies = Array.from({ length: datasets }, () => {
        const places = Uint32Array.from({ length: copies }, () => source.below(80));
        return adversarialAccuracy(files, stackedTables([chosenRecords(own, places), people(80 - copies, source, step)]), source);
      });
      losses.push(mean(accuracies.map((one) => accuracyFigures(one).privacyLoss!)));
      squares.push(privacyLossError(accuracies)! ** 2);
    }
    const stated = Math.sqrt(mean(squares)) / standardDeviation(losses);
    expect(stated).toBeGreaterThan(0.8);
    expect(stated).toBeLessThan(1.3);
    // Other people leave no loss.
    if (share === 0) expect(Math.abs(mean(losses))).toBeLessThan((4 * standardDeviation(losses)) / Math.sqrt(150));
  });
});
