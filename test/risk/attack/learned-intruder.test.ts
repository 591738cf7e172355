import { describe, expect, it } from 'vitest';
import { attackSettingsSchema } from '../../../shared/contracts/config/attack.ts';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { learnedOutcome, learnedValues, predictedTargets } from '../../../shared/risk/attack/learned-intruder.ts';
import { openAttack } from '../../../shared/risk/attack/open-attack.ts';
import { chosenRecords, type Table } from '../../../shared/table/table.ts';
import { ATTACK_SCHEMA, attackTables, drawTable, lehmer } from './reference-tables.ts';

const { table, dataset, control } = attackTables();
/** The dataset, and two more as `reference.R` draws them after the control. */
const threeDatasets = (() => {
  const below = lehmer(2024);
  const [, first, , ...more] = [80, 80, 50, 80, 80].map((records) => drawTable(below, records));
  return [first!, ...more];
})();
const RULE = { threshold: 0.3, tolerance: 0.1 };
const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** Square of half of the width of Wilson's interval by the normal quantile: R's `confint(rapid)` by default. */
const wilson = (share: number, records: number) => {
  const ofQuantile = 1.959963984540054 ** 2 / records;
  return (share * (1 - share) + ofQuantile / 4) / records / (1 + ofQuantile) ** 2;
};

/** One tree on the rows of a dataset as they are. */
function byOneTree(target: number, minimumLeaf: number, rule = RULE) {
  const keys = [0, 1, 4, 5].filter((key) => key !== target);
  const of = (people: Table) => ({ people, values: [[learnedValues(dataset, people, { keys, target, minimumLeaf })]] });
  return learnedOutcome({ target, table, members: of(table), others: of(control) }, rule);
}

describe('what an intruder learns from the release', () => {
  // reference.R. Where leaves may have one row, C and Y have divisions that gain the same, of which rpart takes another.
  it.each<[string, number, number, [number, number, number]]>([
    ['D', 3, 3, [0.575, 0.6, 0.183365079365]],
    ['C', 3, 2, [0.1375, 0.16, -0.0472128357506]],
    ['X', 3, 4, [0.225, 0.24, 0.225146012041]],
    ['Y', 3, 5, [0.725, 0.8, 0.0804189691767]],
    ['D', 1, 3, [0.65, 0.56, 0.306666666667]],
    ['X', 1, 4, [0.275, 0.22, 0.260575879951]],
  ])('is what RAPID finds with a tree of rpart: %s, leaves of %i', (_, minimumLeaf, target, [rate, ofControl, score]) => {
    const { figures, scores } = byOneTree(target, minimumLeaf);
    expect(figures.confidenceRate).toBeCloseTo(rate, 9);
    expect(figures.control).toBeCloseTo(ofControl, 9);
    expect(mean(scores)).toBeCloseTo(score, 9);
    expect(figures.difference).toBeCloseTo(rate - ofControl, 9);
    expect(figures.confidenceRateSe).toBeCloseTo(Math.sqrt(wilson(rate, 80)), 9);
    expect(figures.controlSe).toBeCloseTo(Math.sqrt(wilson(ofControl, 50)), 9);
    expect(figures.differenceSe).toBeCloseTo(Math.sqrt(wilson(rate, 80) + wilson(ofControl, 50)), 9);
  });

  // The same of three datasets, a tree on each. Errors are those of a jackknife and of Wilson's interval as R's prop.test has it.
  it.each<[string, number, number[]]>([
    ['D', 3, [0.55, 0.54, 0.0586470586326, 0.0777038453202, 0.089626562019]],
    ['Y', 5, [0.7625, 0.78, 0.0468786830065, 0.0573674664137, 0.0740853367621]],
  ])('is what RAPID finds with trees of rpart on three datasets, with its errors: %s', (_, target, expected) => {
    const keys = [0, 1, 4, 5].filter((key) => key !== target);
    const of = (people: Table) => ({
      people,
      values: threeDatasets.map((rows) => [learnedValues(rows, people, { keys, target, minimumLeaf: 3 })]),
    });
    const { figures } = learnedOutcome({ target, table, members: of(table), others: of(control) }, RULE);
    const { confidenceRate, control: ofControl, confidenceRateSe, controlSe, differenceSe } = figures;
    const found = [confidenceRate, ofControl, confidenceRateSe, controlSe, differenceSe];
    expect(found).toEqual(expected.map((value) => expect.closeTo(value, 9)));
  });

  it('is judged by formulas that a hand can follow', () => {
    const probabilities = Float64Array.from({ length: 80 }, (_, i) => i / 80);
    const codes = table.columns[3]!.type === 'categorical' ? table.columns[3]!.codes : [];
    const members = { people: table, values: [[probabilities]] };
    const { figures, scores } = learnedOutcome({ target: 3, table, members, others: null }, RULE);
    const shareOf = (code: number) => codes.filter((one) => one === code).length / 80;
    const gains = Array.from(codes, (code, i) => (i / 80 - shareOf(code)) / (1 - shareOf(code)));
    expect(Array.from(scores)).toEqual(gains.map((gain) => expect.closeTo(gain, 12)));
    expect(figures).toMatchObject({
      confidenceRate: gains.filter((gain) => gain > 0.3).length / 80,
      ...{ method: 'RCS_marginal', threshold: 0.3, control: null, controlSe: null, difference: null, controlRecords: null },
    });
    const numbers = { people: table, values: [[2000, 1900, 9000].map((vote) => new Float64Array(80).fill(vote))] };
    const values = table.columns[4]!.type === 'continuous' ? table.columns[4]!.values : [];
    const errors = Array.from(values, (own) => (2 * Math.abs(own - 2000)) / (own + 2000 + 0.02));
    const ofNumbers = learnedOutcome({ target: 4, table, members: numbers, others: null }, RULE);
    expect(Array.from(ofNumbers.scores)).toEqual(errors.map((one) => expect.closeTo(one, 12)));
    expect(ofNumbers.figures).toMatchObject({ method: 'symmetric', confidenceRate: errors.filter((one) => one < 0.1).length / 80 });
  });

  it('is the vote of all trees: the mean of probabilities, the median of numbers', () => {
    const votes = [0.2, 0.4, 0.9].map((vote) => new Float64Array(80).fill(vote));
    const gains = (values: Float64Array[][]) =>
      Array.from(learnedOutcome({ target: 3, table, members: { people: table, values }, others: null }, RULE).scores);
    const expected = gains([[new Float64Array(80).fill(0.5)]]).map((gain) => expect.closeTo(gain, 12));
    expect(gains([votes])).toEqual(expected);
    expect(gains([[votes[0]!], votes.slice(1)])).toEqual(expected);
  });

  it('has an error where nobody is predicted, or everybody', () => {
    const all = (value: number) =>
      learnedOutcome({ target: 3, table, members: { people: table, values: [[new Float64Array(80).fill(value)]] }, others: null }, RULE);
    for (const share of [0, 1]) {
      expect(all(share).figures.confidenceRate).toBe(share);
      expect(all(share).figures.confidenceRateSe).toBeCloseTo(1.959963984540054 / 2 / (80 + 1.959963984540054 ** 2), 12);
    }
  });

  it('has in its error how parts of the forest differ, less what is of each person by itself', () => {
    const own = (l: number, step: number, upTo: number, records: number) => [
      Float64Array.from({ length: records }, (_, i) => (((i + l) % step === 0 && l < 2) || i < upTo * l ? 1 : 0)),
    ];
    const parts = [0, 1, 2];
    const [ofTable, ofControl] = [parts.map((l) => own(l, 4, 12, 80)), parts.map((l) => own(l, 3, 2, 50))];
    const { scores: _, figures } = learnedOutcome(
      { target: 3, table, members: { people: table, values: ofTable }, others: { people: control, values: ofControl } },
      { ...RULE, threshold: 0.2 },
    );
    // Who is at risk without each part, by the formulas above.
    const codes = (people: Table) => (people.columns[3]!.type === 'categorical' ? Array.from(people.columns[3]!.codes) : []);
    const b = [0, 1].map((code) => codes(table).filter((one) => one === code).length / 80);
    const found = (people: Table, values: Float64Array[][], l: number) =>
      codes(people).map((code, i) => {
        const g = mean(values.filter((__, k) => k !== l).map(([tree]) => tree![i]!));
        return (g - b[code]!) / (1 - b[code]!) > 0.2 ? 1 : 0;
      });
    const without = { table: parts.map((l) => found(table, ofTable, l)), control: parts.map((l) => found(control, ofControl, l)) };
    const jackknife = (values: number[]) => (2 / 3) * values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0);
    const byPerson = (found: number[][]) => {
      const persons = found[0]!.map((__, i) => jackknife(found.map((one) => one[i]!)));
      return persons.reduce((sum, one) => sum + one, 0) / persons.length ** 2;
    };
    const beyond = jackknife(without.table.map(mean)) - byPerson(without.table);
    const beyondDifference =
      jackknife(without.table.map((one, l) => mean(one) - mean(without.control[l]!))) - byPerson(without.table) - byPerson(without.control);
    expect(beyond).toBeGreaterThan(0);
    expect(beyondDifference).toBeGreaterThan(0);
    const { confidenceRate, control: ofOthers, confidenceRateSe, differenceSe } = figures;
    expect(confidenceRateSe).toBeCloseTo(Math.sqrt(wilson(confidenceRate!, 80) + beyond), 12);
    expect(differenceSe).toBeCloseTo(Math.sqrt(wilson(confidenceRate!, 80) + wilson(ofOthers!, 50) + beyondDifference), 12);
  });
});

const opened = (settings: object = {}) =>
  openAttack(attackSettingsSchema.parse({ keys: ['A', 'B', 'X'], target: ['D', 'Y'], ...settings }), ATTACK_SCHEMA, 80);

const predicted = (files: Partial<Parameters<typeof predictedTargets>[0]>, seed = 1, settings = {}) => {
  const input = { table, datasets: [dataset], members: files.table ?? table, others: control, ...files };
  return [...predictedTargets(input, opened(settings), (name) => seededStreams(seed).open(name))].map(({ outcome }) => outcome);
};

describe('a forest on bootstrap samples', () => {
  it('predicts records of a copy beyond the control, and of other people no more than the control', () => {
    for (const { difference, differenceSe } of predicted({ datasets: [table] })) expect(difference).toBeGreaterThan(2 * differenceSe!);
    for (const { difference, differenceSe } of predicted({})) expect(Math.abs(difference!)).toBeLessThan(3 * differenceSe!);
  });

  it.each([1, 4])('has errors as large as differences are by chance, where the release of %i datasets is of other people', (datasets) => {
    const scaled = Array.from({ length: 40 }, (_, r) => {
      const below = lehmer(900 + 7 * r);
      const [own, others] = [drawTable(below, 150), drawTable(below, 120)];
      const release = Array.from({ length: datasets }, () => drawTable(below, 150));
      const files = { table: own, members: own, others, datasets: release };
      return predicted(files, r).map(({ difference, differenceSe }) => difference! / differenceSe!);
    });
    for (const t of [0, 1]) {
      const ofTarget = scaled.map((one) => one[t]!);
      expect(standardDeviation(ofTarget)).toBeGreaterThan(0.75);
      expect(standardDeviation(ofTarget)).toBeLessThan(1.3);
      expect(Math.abs(mean(ofTarget))).toBeLessThan(0.4);
    }
  });

  it('divides two rows that differ: three trees of four then predict each row, and no more than chance otherwise', () => {
    const codes = table.columns[3]!.type === 'categorical' ? table.columns[3]!.codes : new Uint8Array();
    const pair = chosenRecords(table, Uint32Array.of(codes.indexOf(0), codes.indexOf(1)));
    const [ofPair] = predicted({ table: pair, datasets: [pair], others: null }, 1, { target: ['D'], keys: ['X'] });
    expect(ofPair).toMatchObject({ confidenceRate: 1 });
  });

  it('is the same for equal streams, and another for other ones', () => {
    expect(predicted({}, 3)).toEqual(predicted({}, 3));
    expect(predicted({}, 3)).not.toEqual(predicted({}, 4));
  });

  it('takes at most 20,000 rows a tree, and fewer trees of more rows', () => {
    const rows = Uint32Array.from({ length: 20_001 }, (_, row) => row % 80);
    const [few] = predicted({}, 1, { target: ['D'] });
    expect(few).toMatchObject({ rows: 80, trees: 100 });
    const [many] = predicted({ datasets: [chosenRecords(dataset, rows)] }, 1, { target: ['D'], keys: ['A'] });
    expect(many).toMatchObject({ rows: 20_000, trees: 50 });
    expect(predicted({ datasets: [dataset, dataset, dataset] }, 1, { target: ['D'] })[0]).toMatchObject({ trees: 102 });
  });

  it('says why there is nothing to predict where all records have one category', () => {
    const constant = table.columns.map((column, v) => (v === 3 ? { type: 'categorical' as const, codes: new Uint8Array(80) } : column));
    const [first, second] = predicted({ table: { ...table, columns: constant } });
    expect(first).toMatchObject({ target: 'D', confidenceRate: null, difference: null, reason: expect.stringContaining('one category') });
    expect(second!.confidenceRate).not.toBeNull();
  });

  it('has other thresholds where they are given, and refuses those that no target can have', () => {
    const [low, high] = [0.1, 0.9].map((rapidThreshold) => predicted({}, 1, { rapidThreshold })[0]!);
    expect(low).toMatchObject({ threshold: 0.1 });
    expect(low!.confidenceRate!).toBeGreaterThan(high!.confidenceRate!);
    expect(predicted({}, 1, { rapidTolerance: 0.5 })[1]!.threshold).toBe(0.5);
    expect(() => opened({ target: ['Y'], rapidThreshold: 0.2 })).toThrow('attack.rapidThreshold');
    expect(() => opened({ target: ['D'], rapidTolerance: 0.2 })).toThrow('attack.rapidTolerance');
  });
});
