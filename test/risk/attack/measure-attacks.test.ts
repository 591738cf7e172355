import { describe, expect, it } from 'vitest';
import { ATTACK_DEFAULTS, attackSettingsSchema } from '../../../shared/contracts/config/attack.ts';
import { attackSummarySchema } from '../../../shared/contracts/results/attack.ts';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { attackRows } from '../../../shared/risk/attack/attack-rows.ts';
import { attackSteps, measureAttacks } from '../../../shared/risk/attack/measure-attacks.ts';
import { openAttack } from '../../../shared/risk/attack/open-attack.ts';
import { chosenRecords, type Table } from '../../../shared/table/table.ts';
import { ATTACK_SCHEMA, attackTables, drawTable, lehmer } from './reference-tables.ts';

const { table, dataset, control } = attackTables();
const NO_RUN = { tests: null, reason: 'no run' };
const opened = (settings: object = {}) =>
  openAttack(attackSettingsSchema.parse({ keys: ['A', 'B', 'X'], target: ['D', 'Y'], attempts: 40, ...settings }), ATTACK_SCHEMA, 80);
const measured = (input: Partial<Parameters<typeof measureAttacks>[0]> = {}, seed = 1, settings = {}) => {
  const streams = seededStreams(seed);
  return finish(
    measureAttacks({ table, datasets: [dataset], control: null, optimal: NO_RUN, ...input }, opened(settings), (name) =>
      streams.open(name),
    ),
  );
};

describe('all measures together', () => {
  it('fit their contract, without a control and with one', () => {
    const { summary } = measured();
    expect(attackSummarySchema.parse(summary)).toMatchObject({
      keys: ['A', 'B', 'X'],
      target: ['D', 'Y'],
      banded: ['X', 'Y'],
      controlRecords: null,
    });
    expect(summary.controlReason).toContain('--control');
    expect(summary.membership).toBeNull();
    expect(summary.membershipReason).toContain('--control');
    expect(summary.nearestNeighbour).toMatchObject({ shareCloserThanControl: null, low: null });
    expect(summary.nearestNeighbour.reason).toContain('--control');
    for (const one of [...summary.singlingOut, ...summary.linkability, ...summary.inference]) {
      expect(one).toMatchObject({ control: null, controlSuccesses: null, risk: one.rate });
    }
    const held = measured({ control }).summary;
    expect(attackSummarySchema.parse(held)).toMatchObject({ controlRecords: 50 });
    expect(held.controlReason).toBeUndefined();
    expect(held.membership!.map(({ test, members, others }) => [test, members, others])).toEqual(
      ['closestRecord', 'domias', 'classifier'].map((test) => [test, 80, 25]),
    );
    expect(held.membershipReason).toBeUndefined();
    const domias = [...attackRows(held)].find(({ item, figure }) => item === 'domias' && figure === 'auc');
    expect(domias).toMatchObject({ measure: 'membership', dataset: 0, value: held.membership![1]!.auc });
    const three = chosenRecords(control, Uint32Array.of(0, 1, 2));
    const few = measured({ control: three }).summary;
    expect([attackSummarySchema.parse(few).membership, few.membershipReason]).toEqual([null, expect.stringContaining('4 records')]);
    expect(held.nearestNeighbour.reason).toBeUndefined();
    expect(held.nearestNeighbour.shareCloserThanControl).not.toBeNull();
    expect(held.inference[0]!.control).not.toBeNull();
    for (const one of held.inference.filter(({ rateLow, rateHigh }) => rateLow > 0 && rateHigh < 1)) {
      expect(2 * 1.96 * one.rateSe).toBeCloseTo(one.rateHigh - one.rateLow, 4);
    }
    expect(held.inference[0]!.controlSe).toBeGreaterThan(0);
    expect(summary.inference[0]).toMatchObject({ controlSe: null, riskSe: summary.inference[0]!.rateSe });
  });

  it('have every dataset by itself, and a row for each figure', () => {
    const other = drawTable(lehmer(5), 60);
    const { summary } = measured({ datasets: [dataset, other] });
    expect(summary.singlingOut.map(({ attack, dataset: l }) => [attack, l])).toEqual([
      ['univariate', 1],
      ['multivariate', 1],
      ['univariate', 2],
      ['multivariate', 2],
    ]);
    expect(summary.disclosure.map(({ datasets }) => datasets.length)).toEqual([2, 2]);
    // Of two datasets the error of a mean is half of their difference; what is of the table alone has none.
    const [first, second] = summary.disclosure[0]!.datasets;
    expect(summary.disclosure[0]!.meanSe).toMatchObject({ DCAP: expect.closeTo(Math.abs(first!.DCAP - second!.DCAP) / 2, 12), UiO: 0 });
    expect(summary.releaseSeReason).toBeUndefined();
    const { disclosure, nearestNeighbour, releaseSeReason } = measured().summary;
    expect([disclosure[0]!.meanSe, nearestNeighbour.distanceToClosestSe, nearestNeighbour.ratioSe]).toEqual([null, null, null]);
    expect(releaseSeReason).toContain('One dataset');
    expect(summary.keyCounts.release).toHaveLength(2);
    const rows = [...attackRows(summary)];
    const find = (measure: string, item: string, l: number, figure: string) =>
      rows.find((row) => row.measure === measure && row.item === item && row.dataset === l && row.figure === figure);
    expect(find('disclosure', 'Y', 2, 'DiSCO')!.value).toBe(summary.disclosure[1]!.datasets[1]!.DiSCO);
    expect(find('inference', 'D', 1, 'risk')!.value).toBe(summary.inference[0]!.risk);
    expect(find('keyCounts', '', 0, 'suda.scoreMax')!.value).toBe(summary.keyCounts.suda.scoreMax);
    expect(find('nearestNeighbour', '', 0, 'shareCloserThanControl')!.value).toBeNull();
    expect(find('disclosure', 'D', 0, 'DCAP')!.value).toBe(summary.disclosure[0]!.mean.DCAP);
    expect(find('keyCounts', '', 2, 'sampleUniques')!.value).toBe(summary.keyCounts.release[1]!.sampleUniques);
    expect(find('keyCounts', '', 0, 'suda.minimalSampleUniques.1')!.value).toBe(summary.keyCounts.suda.minimalSampleUniques[0]);
    expect(find('keyCounts', '', 0, 'violations.3.k')!.value).toBe(5);
  });

  it('are the same for equal streams, and attack others for other ones', () => {
    expect(measured({ control }, 3)).toEqual(measured({ control }, 3));
    const chosen = (seed: number) => measured({}, seed).summary.inference.map(({ successes }) => successes);
    expect(new Set([1, 2, 3, 4, 5].map((seed) => chosen(seed).join())).size).toBeGreaterThan(1);
  });

  it('find everything in a copy of the table, and little of it in another draw of the population', () => {
    const copy = measured({ datasets: [table], control }).summary;
    const [inference] = copy.inference;
    expect(inference!.successes).toBe(40);
    // Records whose second halves are equal are linked with one of them.
    expect(copy.linkability[0]!.successes).toBeGreaterThan(37);
    expect(copy.singlingOut.map(({ successes }) => successes)).toEqual([40, 40]);
    expect(copy.nearestNeighbour.distanceToClosest.zeroShare).toBe(1);
    expect(copy.nearestNeighbour.shareCloserThanControl).toBeGreaterThan(0.55);
    expect(copy.disclosure[0]!.mean.repU).toBe(copy.disclosure[0]!.mean.UiO);
    const { nearestNeighbour, inference: other } = measured({ control }).summary;
    expect(nearestNeighbour.shareCloserThanControl).toBeLessThan(0.7);
    expect(other[0]!.low).toBeLessThan(0.2);
  });

  it('say of every record what they say of the file, over datasets', () => {
    const { summary, records } = measured({ datasets: [dataset, drawTable(lehmer(5), 60)] });
    const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, one) => sum + one, 0) / 80;
    for (const [t, { mean: figures }] of summary.disclosure.entries()) {
      const { cap, disclosed, replicated } = records.targets[t]!;
      expect(mean(cap)).toBeCloseTo(figures.DCAP, 12);
      expect(mean(disclosed)).toBeCloseTo(figures.DiSCO, 12);
      expect(mean(replicated)).toBeCloseTo(figures.repU, 12);
    }
    const { riskutility } = summary;
    for (const [t, { mean: figures }] of riskutility.targets.entries())
      expect(mean(records.targets[t]!.pid)).toBeCloseTo(figures.pidMean, 12);
    expect(mean(records.membershipProb)).toBeCloseTo(riskutility.mean.membershipProbMean, 12);
    // Rows of a dataset of 60 are made from no record each.
    expect([riskutility.mean.linkageRisk, riskutility.linkageReason]).toEqual([null, expect.stringContaining('row i')]);
    expect(records.linkageRisk.every((one) => Number.isNaN(one))).toBe(true);
    expect(mean(records.keys.risks)).toBeCloseTo(summary.keyCounts.individualRisk.mean, 12);
    expect(records.targets[0]!.inferred.every((one) => [0, 0.5, 1].includes(one))).toBe(true);
    expect(records.distanceToClosest.every((one) => one >= 0 && one <= 1)).toBe(true);
  });

  it('compare rows with records and other people, as many of each, and link row i with record i', () => {
    const datasets = [table, dataset];
    const { summary, records } = measured({ datasets, control });
    const { riskutility } = attackSummarySchema.parse(summary);
    expect([riskutility.records, riskutility.reason, riskutility.linkageReason]).toEqual([50, undefined, undefined]);
    const [copy, other] = riskutility.datasets;
    expect(copy).toMatchObject({ identifiabilityRate: 1, membershipProbMean: 1 });
    // Of 80 rows and records 50 each are drawn: some copies are missed.
    expect(copy!.aaTrain).toBeLessThan(0.5 * other!.aaTrain);
    expect(copy!.privacyLoss).toBeGreaterThan(0.1);
    expect(Math.abs(other!.privacyLoss!)).toBeLessThan(0.25);
    expect(copy!.linkageRisk).toBeGreaterThan(0.9);
    expect(other!.linkageRisk).toBeLessThan(0.1);
    expect(riskutility.mean.linkageRisk).toBeCloseTo((copy!.linkageRisk! + other!.linkageRisk!) / 2, 12);
    expect(Array.from(records.linkageRisk).reduce((sum, one) => sum + one, 0) / 80).toBeCloseTo(riskutility.mean.linkageRisk!, 12);
    expect(riskutility.meanSe.aaTrain).toBeCloseTo(Math.abs(copy!.aaTrain - other!.aaTrain) / 2, 12);
    expect(riskutility.meanSe.privacyLoss).toBeGreaterThan(0);
    const found = [...attackRows(summary)].filter(({ measure }) => measure === 'riskutility');
    const value = (item: string, l: number, figure: string) =>
      found.find((row) => row.item === item && row.dataset === l && row.figure === figure)?.value;
    expect(value('', 2, 'privacyLoss')).toBe(other!.privacyLoss);
    expect(value('', 0, 'meanSe.privacyLoss')).toBe(riskutility.meanSe.privacyLoss);
    expect(value('Y', 0, 'pidMax')).toBe(riskutility.targets[1]!.mean.pidMax);
    const rule = [...attackRows(summary)].find(({ item, figure }) => item === 'D' && figure === 'NCE.confidenceRate');
    expect(rule!.value).toBe(summary.rapid[0]!.rules[1]!.confidenceRate);
    const alone = measured({ datasets: [dataset] }).summary.riskutility;
    expect(alone.meanSe).toMatchObject({ aaTrain: null, privacyLoss: null });
    expect([alone.records, alone.mean.privacyLoss, alone.reason]).toEqual([80, null, expect.stringContaining('--control')]);
  });

  it('leave out of records those that were not drawn', () => {
    const large = drawTable(lehmer(8), 150);
    const { records, summary } = measured({ table: large, datasets: [large] }, 1, { records: 100 });
    expect(records.distanceToClosest.filter((one) => Number.isNaN(one))).toHaveLength(50);
    expect(records.targets[0]!.inferred.filter((one) => Number.isNaN(one))).toHaveLength(50);
    expect(summary.nearestNeighbour.datasets[0]!.records).toBe(100);
  });

  it('single out equal rows as one', () => {
    const twice = (one: Table) =>
      chosenRecords(
        one,
        Uint32Array.from({ length: 2 * one.records }, (_, row) => row >> 1),
      );
    const { summary } = measured({ table: twice(table), datasets: [twice(dataset)] });
    expect(summary.singlingOut).toEqual(measured().summary.singlingOut);
  });

  it('link the keys with all other variables where nothing is said', () => {
    expect(opened().halves).toEqual([
      [0, 1, 4],
      [2, 3, 5],
    ]);
  });

  it('take the steps that they say', () => {
    const streams = seededStreams(1);
    for (const held of [null, control]) {
      const input = { table, datasets: [dataset, dataset], control: held, optimal: NO_RUN };
      expect([...measureAttacks(input, opened(), (name) => streams.open(name))].at(-1)).toBe(attackSteps(input, opened()));
    }
  });
});

describe('what is refused', () => {
  const open = (settings: object) => () => opened(settings);
  it.each([
    ['no-keys', '--keys', { keys: [] }],
    ['no-target', '--target', { target: [] }],
    ['unknown-variable', 'attack.keys', { keys: ['A', 'NONE'] }],
    ['unknown-variable', 'attack.target', { target: ['NONE'] }],
    ['unknown-variable', 'attack.linkability', { linkability: [['NONE'], ['A']] }],
    ['unknown-variable', 'attack.linkability', { linkability: [['A'], ['NONE']] }],
    ['repeated-variable', 'attack.target', { target: ['D', 'D'] }],
    ['key-and-target', 'attack.target', { target: ['A'] }],
  ])('%s, said of %s', (code, where, settings) => {
    const message = expect.stringContaining(where);
    expect(open(settings)).toThrowError(expect.objectContaining({ code, message }));
  });

  it('too many keys, and too many subsets of them', () => {
    const names = Array.from({ length: 40 }, (_, v) => `V${v}`);
    const schema = { variables: names.map((name) => ({ name, type: 'categorical' as const, categories: ['a', 'b'] })) };
    const ask = (keys: string[], subsetSize?: number) => () =>
      openAttack({ ...ATTACK_DEFAULTS, keys, target: ['V39'], subsetSize }, schema, 1000);
    expect(ask(names.slice(0, 31))).toThrowError(expect.objectContaining({ code: 'too-many-keys' }));
    expect(ask(names.slice(0, 30), 10)).toThrowError(expect.objectContaining({ code: 'too-many-subsets' }));
    expect(ask(names.slice(0, 30))().subsetSize).toBe(3);
  });
});
