import type { ErrorsOf } from '../../shared/contracts/figure-errors.ts';
import type { ChainDiagnostics } from '../../shared/contracts/results/chain-diagnostics.ts';
import type { MembershipSummary } from '../../shared/contracts/results/membership.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { type AttributeRiskTable, attributeRiskTable, emptyFigures } from '../../shared/contracts/results/tables/attribute-risk-table.ts';
import type { VariableRiskTable } from '../../shared/contracts/results/tables/variable-risk-table.ts';
import type { ReportInput } from '../../shared/report/review/report-input.ts';

const VARIABLES: readonly (readonly [name: string, categories: number])[] = [
  ['SEX', 2],
  ['AGEP', 4],
  ['RACE1P', 6],
  ['SCHL', 4],
  ['MAR', 5],
  ['LANX', 2],
  ['WAOB', 7],
  ['WKL', 3],
];

/** The truth, and every change of one variable. */
const CANDIDATES = VARIABLES.reduce((sum, [, categories]) => sum + categories - 1, 1);

const COMBINATIONS = 400;

/** Numbers in [0, 1) from a fixed linear congruential generator (Numerical Recipes), so that tests repeat. */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The figures of a combination. */
function figuresOf(combination: number, uniform: () => number) {
  const count = Math.max(1, Math.floor(0.6 / (uniform() + 0.004)));
  const spread = count === 1 ? 2.1 : 1.1;
  const weight = Math.exp(spread * (uniform() + uniform() + uniform() + uniform() - 1.9));
  const probability = weight / (weight + CANDIDATES - 1);
  const rank = Math.min(CANDIDATES, Math.max(1, Math.round((CANDIDATES * (1 - uniform() ** 0.9) ** 0.8) / weight)));
  const reach = Math.ceil(uniform() * (combination % 5 === 0 ? 18 : 5));
  const rank_low = Math.max(1, rank - reach);
  const rank_high = Math.min(CANDIDATES, rank + reach);
  const guess = Math.floor(uniform() * VARIABLES.length);
  return {
    combination,
    count,
    values: VARIABLES.map(([, categories]) => String(1 + Math.floor(uniform() * categories))),
    rank,
    rank_low,
    rank_high,
    probability,
    probability_se: probability * (0.03 + 0.1 * uniform()),
    information_bits: 0.05 + Math.abs(Math.log2(weight)) * 0.4 + 0.2 * uniform(),
    prior_odds_to_first: rank === 1 ? 1 : 1 + rank / 7,
    first_guess_variable: rank === 1 ? null : VARIABLES[guess]![0],
    first_guess_value: rank === 1 ? null : '2',
    first_guess_probability: Math.max(probability, 0.12),
    distinguishable: rank_high - rank_low < CANDIDATES / 2,
    effective_draws: 300 + 900 * uniform(),
  };
}

/** The table of so many combinations, with some columns changed. Equal arguments give equal tables. */
export function riskTable(rows = COMBINATIONS, changes: Partial<AttributeRiskTable['columns']> = {}): AttributeRiskTable {
  const uniform = uniforms(2024);
  const all = Array.from({ length: rows }, (_, row) => figuresOf(row + 1, uniform));
  type Figures = (typeof all)[number];
  const doubles = (value: (of: Figures) => number) => Float64Array.from(all, value);
  const table = attributeRiskTable({
    rows,
    ofRecords: false,
    recordOf: (row) => row + 1,
    scenario: 'one-change',
    isRanked: true,
    figures: {
      ...emptyFigures(rows),
      rank: doubles(({ rank }) => rank),
      rankLow: doubles(({ rank_low }) => rank_low),
      rankHigh: doubles(({ rank_high }) => rank_high),
      priorProbability: doubles(() => 1 / CANDIDATES),
      probability: doubles(({ probability }) => probability),
      probabilitySe: doubles(({ probability_se }) => probability_se),
      informationBits: doubles(({ information_bits }) => information_bits),
      priorOddsToFirst: doubles(({ prior_odds_to_first }) => prior_odds_to_first),
      uncertaintyResolved: doubles(({ probability }) => probability / 2),
      uncertaintyResolvedSe: doubles(() => 0.01),
      membershipBits: doubles(({ probability }) => Math.log2(1 + 4 * probability)),
      membershipBitsSe: doubles(() => 0.0423),
      membershipProbability: doubles(({ probability }) => (1 + 4 * probability) / (2 + 4 * probability)),
      bayesFactor: doubles(({ probability }) => probability * CANDIDATES * 1.1),
      bayesFactorSe: doubles(({ probability }) => probability * CANDIDATES * 0.05),
      privacyLoss: doubles(({ rank }) => 0.5 + rank / 20),
      privacyLossSe: doubles(() => 0.08),
      firstGuessProbability: doubles(({ first_guess_probability }) => first_guess_probability),
      effectiveDraws: doubles(({ effective_draws }) => effective_draws),
      paretoK: doubles(() => 0.4),
    },
    combinationOf: (row) => all[row]!.combination,
    countOf: (row) => all[row]!.count,
    candidatesOf: () => CANDIDATES,
    guessOf: (row, what) => all[row]![`first_guess_${what}`],
    isDistinguishable: (row) => all[row]!.distinguishable,
    paretoKThreshold: 0.675,
    beside: null,
    variables: VARIABLES.map(([name], k) => ({ name, text: (row) => all[row]!.values[k]! })),
  });
  return { ...table, columns: { ...table.columns, ...changes } };
}

/** What a release tells of the values of real records. */
/** Errors of a figure of which three fifths are simulation. */
const errorsOf = <Name extends string>(name: Name, se: number) =>
  ({ [`${name}Se`]: se, [`${name}SimulationSe`]: 0.6 * se, [`${name}ReleaseSe`]: 0.8 * se }) as ErrorsOf<Name, number>;

function valueFigures(factor: number) {
  return {
    gainBitsMean: 0.35123456 * factor,
    ...errorsOf('gainBitsMean', 0.04123456),
    gainBitsClaimed: 0.36358023 * factor,
    gainBitsHalfLength: 0.41,
    lackedBitsMean: 6.87123456 * factor,
    lackedBitsMeanSe: 0.02123456,
    uncertaintyResolved: 0.05112345,
    ...errorsOf('uncertaintyResolved', 0.00912345),
    firstGuessRightBefore: 0.75123456,
    firstGuessRightBeforeSe: 0.00212345,
    firstGuessRightAfter: 0.76234567,
    ...errorsOf('firstGuessRightAfter', 0.00512345),
    probabilityTrueBefore: 0.67012345,
    probabilityTrueBeforeSe: 0.00112345,
    probabilityTrueAfter: 0.68123456,
    ...errorsOf('probabilityTrueAfter', 0.00312345),
    valuesGivenAway: 12,
    ...errorsOf('valuesGivenAway', 3.12345),
    commonestShare: 0.61345678,
    naiveBayesShare: 0.72123456,
  };
}

/** Values of the first combinations, of which every third is given away. */
export function valueTable(label = 'Never married'): VariableRiskTable {
  const rows = 30;
  return {
    rows,
    rowsOfFile: rows,
    placeInFile: (row) => row,
    ofRecords: false,
    row: (row) => ({
      number: row + 1,
      count: 1,
      variable: VARIABLES[row % VARIABLES.length]![0],
      value: label,
      categories: 4,
      probability_before: 0.21234567,
      probability_after: 0.61234567,
      probability_se: 0.01234567,
      rank_before: 2,
      rank_after: 1,
      gain_bits: Math.log2(0.61234567 / 0.21234567),
      uncertainty_resolved: 1 - Math.log2(0.61234567) / Math.log2(0.21234567),
      uncertainty_resolved_se: 0.05,
      first_guess_before: 'Married',
      first_guess_after: label,
      scenario: 'one-change',
    }),
    givenAway: Uint32Array.from({ length: rows / 3 + 2 }, (_, i) => 2 * i),
  };
}

function summaryOf({ rows, columns }: AttributeRiskTable): Summary {
  const { count, candidates, rank, probability, information_bits } = columns;
  const recordsWhere = (holds: (row: number) => boolean) => count.reduce((sum, own, row) => sum + (holds(row) ? own : 0), 0);
  const records = recordsWhere(() => true);
  const mean = (values: Float64Array) => values.reduce((sum, value, row) => sum + count[row]! * value, 0) / records;
  const rankHistogram = Array.from({ length: CANDIDATES }, (_, index) =>
    recordsWhere((row) => rank[row]! > index && rank[row]! <= index + 1),
  );
  const truthRankedFirst = recordsWhere((row) => rank[row] === 1);
  return {
    headline: [{ name: 'attributeRisk["one-change"].uncertaintyResolved', value: 0.05112345, se: 0.00912345, baseline: 0 }],
    version: '0.1.0',
    runId: 'b1946ac92492d234',
    seed: 1,
    table: {
      records,
      variables: VARIABLES.length,
      combinations: rows,
      cells: VARIABLES.reduce((product, [, categories]) => product * categories, 1),
      sampleUniques: count.filter((own) => own === 1).length,
    },
    model: { name: 'dpmpm', classes: 40, chains: 32, drawsKept: 1600, occupiedClassesMax: 23 },
    synthesis: { datasets: 5, synthesized: VARIABLES.map(([name]) => name), kind: 'full', chains: 'own' },
    attributeRisk: [
      {
        scenario: 'one-change',
        estimator: 'augmented',
        meaning: 'what an intruder learns from the released datasets',
        candidates: 'one-change',
        candidatesPerCombinationMax: CANDIDATES,
        prior: 'uniform',
        slope: 1,
        records,
        truthRankedFirst,
        truthRankedFirstShare: truthRankedFirst / records,
        ...errorsOf('truthRankedFirstShare', 0.0042),
        randomGuessingShare: mean(candidates.map((number) => 1 / number)),
        priorProbabilityMean: mean(candidates.map((number) => 1 / number)),
        priorFirstShare: mean(candidates.map((number) => 1 / number)),
        truthRankMedian: 9,
        probabilityMean: mean(probability),
        ...errorsOf('probabilityMean', 0.0003),
        probabilityMax: Math.max(...probability),
        informationBitsMean: mean(information_bits),
        ...errorsOf('informationBitsMean', 0.008),
        informationBitsMax: Math.max(...information_bits),
        privacyLossMedian: 0.81234567,
        ...errorsOf('privacyLossMedian', 0.02123456),
        privacyLoss99: 2.1,
        ...errorsOf('privacyLoss99', 0.09),
        privacyLossMax: 3.4,
        ...errorsOf('privacyLossMax', 0.31),
        acceptanceRegion: null,
        ...valueFigures(1),
        gainBitsExcess: 0.01234567,
        gainBitsExcessSe: 0.04123456,
        gainBitsExcessHalfWidth: 0.1,
        gainBitsRiskiest: 1.23456789,
        ...errorsOf('gainBitsRiskiest', 0.2345678),
        releaseQuantile: 2.7764451052,
        variables: VARIABLES.map(([variable], index) => ({ variable, ...valueFigures(1 / (index + 2)) })),
        membership: membershipFigures(),
        reconstruction: null,
        reconstructionReason: 'the intruder has records of the table',
        halfLength: { truthRankedFirstShare: 0.031, probabilityMean: 0.0456, informationBitsMean: 0.3, changeInErrors: 1.2 },
        reproducibility: 0.9834,
        rankReproducibility: 0.9712,
        effectiveDrawsMin: 312.4,
        paretoKMax: 0.4,
        paretoKThreshold: 0.675,
        heavyTailShare: 0,
        distinguishableShare: recordsWhere(columns.distinguishable) / records,
        rankHistogram,
        rankHistogramWidth: 1,
      },
    ],
    rounds: [
      {
        ...{ round: 1, chains: 32, pairedChains: 8, of: 'rank', target: null, outcome: 'not-asked' },
        ...{ reproducibility: 0.9834, baseReproducibility: 0.9901 },
        next: { chains: 58, pairedChains: 17, reproducibility: 0.9917, work: 1.02 },
      },
    ],
    identificationRisk: [
      {
        scenario: 'SEX, AGEP known; WKL synthesized',
        known: ['SEX', 'AGEP'],
        synthesized: ['WKL'],
        applies: false,
        reason: 'fully synthetic data have no rows that belong to a record',
      },
    ],
    attributeDisclosures: null,
    attributeDisclosuresReason: 'no row of fully synthetic data belongs to a record',
    assessable: true,
    copies: {
      ...{ released: 5 * records, rows: 3 * records, uniques: 12, identicalDatasets: 0 },
      ...{ uniquesExpected: 10.23456, uniquesExpectedSe: 2.34567 },
      ...{ occurrences: 20, occurrencesExpected: 17.2839, occurrencesExpectedSe: 3.45678 },
      datasets: [1, 2, 3, 4, 5].map(() => ({
        ...{ rows: Math.round(0.6 * records), identical: false, uniques: 4 },
        ...{ uniquesExpected: 3.45678, uniquesExpectedSe: 1.23456 },
      })),
    },
    utility: null,
    utilityReason: 'this version does not measure utility',
    acceptance: [
      { rule: 'attributeRisk.truthRankedFirstShare <= 0.05', scenario: 'one-change', value: 0.0731, met: false },
      { rule: 'attributeRisk.reproducibility >= 0.95', scenario: 'one-change', value: 0.9834, met: true },
    ],
    warnings: [
      { code: 'chain-alpha-outlier', message: 'Chain 7 has a mean of alpha far from the others.' },
      { code: 'few-draws', message: '3 combinations rest on fewer than 400 effective draws.' },
    ],
  };
}

function membershipFigures(): MembershipSummary {
  const roc = [0, 0.001, 0.01, 0.1, 0.5, 1].map((falseAlarms) => ({
    falseAlarms,
    found: Math.sqrt(falseAlarms),
    ...errorsOf('found', 0.0234567 * (1 - falseAlarms)),
  }));
  return {
    ...{ others: 'simulated', othersCount: 1000, roc },
    ...{ auc: 0.67891234, ...errorsOf('auc', 0.02123456) },
    ...{ foundAt01Percent: 0.01234567, ...errorsOf('foundAt01Percent', 0.00823456) },
    ...{ foundAt1Percent: 0.06123456, ...errorsOf('foundAt1Percent', 0.01723456) },
    ...{ foundAt10Percent: 0.28123456, ...errorsOf('foundAt10Percent', 0.03123456) },
    ...{ balancedAccuracy: 0.63123456, ...errorsOf('balancedAccuracy', 0.01923456) },
    ...{ bitsMax: 7.12345678, ...errorsOf('bitsMax', 1.23456789) },
    ...{ meanInverseRatioMembers: 1.01234567, ...errorsOf('meanInverseRatioMembers', 0.06123456) },
    ...{ meanRatioOthers: 0.97123456, ...errorsOf('meanRatioOthers', 0.05123456) },
    ...{ power: 1.05123456, ...errorsOf('power', 0.14123456) },
  };
}

function diagnostics(): ChainDiagnostics {
  const uniform = uniforms(77);
  const chains = 32;
  const alphas = Array.from({ length: chains }, (_, index) => (index === 6 ? 9.8 : 2 + 1.2 * uniform()));
  const classes = Array.from({ length: chains }, () => 17 + Math.floor(7 * uniform()));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    chains,
    drawsPerChain: 50,
    burnIn: 1000,
    thin: 10,
    quantities: [
      {
        quantity: 'alpha',
        mean: mean(alphas),
        standardDeviation: 0.91,
        rHat: 1.043,
        bulkEffectiveSize: 512.3,
        tailEffectiveSize: 803.9,
        chainMeans: alphas,
      },
      {
        quantity: 'occupiedClasses',
        mean: mean(classes) - 1,
        standardDeviation: 1.7,
        rHat: 1.21,
        bulkEffectiveSize: 130,
        tailEffectiveSize: 220.4,
        chainMeans: classes.map((value) => value - 1),
      },
      {
        quantity: 'logLikelihood',
        mean: -54321.7,
        standardDeviation: 71.3,
        rHat: 1.87,
        bulkEffectiveSize: 44,
        tailEffectiveSize: null,
        chainMeans: alphas.map(() => -54321.7 + 140 * (uniform() - 0.5)),
      },
    ],
    occupiedClassesMax: classes,
    warnings: [{ code: 'chain-alpha-outlier', message: 'Chain 7 has a mean of alpha far from the others.' }],
  };
}

/** A plausible run: 400 combinations on eight variables. Each call gives a fresh, equal copy. */
export function reportInput(): ReportInput {
  const table = riskTable();
  return {
    summary: summaryOf(table),
    heading: { startedOn: '2026-03-09' },
    table,
    values: valueTable(),
    continuous: null,
    riskiest: [],
    details: { rows: null, candidates: null, densities: [], scenarios: [], matches: [] },
    chains: diagnostics(),
    inherent: null,
    calibration: null,
    attack: null,
    remedies: null,
  };
}
