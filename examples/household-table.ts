import seedrandom from 'seedrandom';
import { encodeCsv } from '../shared/table/files/write-csv.ts';

/** Weights of a variable's categories; they need not sum to one. */
type Weights = Readonly<Record<string, number>>;
/** For each category of an earlier variable, factors on the weights of a later one; absent means 1. */
type Factors = Readonly<Record<string, Weights>>;
/** One variable: its weights, multiplied by the factors of each earlier variable that it depends on. */
type Conditional = { weights: Weights; given?: Readonly<Record<string, Factors>> };

/** Invented, in proportions that a European household survey could have. Each depends on earlier ones only. */
const HOUSEHOLD: Readonly<Record<string, Conditional>> = {
  region: { weights: { Capital: 30, North: 34, 'South, coast': 32, Islands: 4 } },
  age_group: {
    weights: { '18-34': 24, '35-49': 30, '50-64': 26, '65-79': 16, '80+': 4 },
    given: { region: { Capital: { '18-34': 1.6, '65-79': 0.6 }, Islands: { '18-34': 0.5, '65-79': 1.5, '80+': 2 } } },
  },
  household_type: {
    weights: { 'One person': 34, Couple: 28, 'Couple, children': 30, 'One parent, children': 6, Shared: 2 },
    given: {
      age_group: {
        '18-34': { Couple: 0.7, 'Couple, children': 0.5, Shared: 5 },
        '35-49': { Couple: 0.3, 'Couple, children': 2.5, 'One parent, children': 1.8, Shared: 0.3 },
        '50-64': { Couple: 1.4, 'Couple, children': 0.5, 'One parent, children': 0.5, Shared: 0.2 },
        '65-79': { Couple: 1.8, 'Couple, children': 0.02, 'One parent, children': 0.05, Shared: 0.1 },
        '80+': { 'One person': 2.5, 'Couple, children': 0, 'One parent, children': 0.05, Shared: 0 },
      },
    },
  },
  education: {
    weights: { Primary: 10, Secondary: 60, Tertiary: 30 },
    given: {
      region: { Capital: { Primary: 0.4, Tertiary: 1.8 }, Islands: { Primary: 1.5, Tertiary: 0.5 } },
      age_group: {
        '18-34': { Primary: 0.15, Tertiary: 1.3 },
        '65-79': { Primary: 2.5, Tertiary: 0.4 },
        '80+': { Primary: 6, Tertiary: 0.2 },
      },
    },
  },
  employment: {
    weights: { Employed: 84, 'Self-employed': 7, Unemployed: 4, Retired: 3, 'Other inactive': 5 },
    given: {
      age_group: {
        '18-34': { 'Self-employed': 0.4, Unemployed: 2, Retired: 0, 'Other inactive': 1.5 },
        '35-49': { Retired: 0.1 },
        '50-64': { Retired: 3 },
        '65-79': { Employed: 0.04, 'Self-employed': 0.2, Unemployed: 0, Retired: 30 },
        '80+': { Employed: 0, 'Self-employed': 0.02, Unemployed: 0, Retired: 30, 'Other inactive': 0.4 },
      },
      education: {
        Primary: { Employed: 0.5, Unemployed: 2, 'Other inactive': 2 },
        Tertiary: { 'Self-employed': 1.4, Unemployed: 0.4, 'Other inactive': 0.3 },
      },
    },
  },
  income_band: {
    weights: { 'under 15,000': 16, '15,000-34,999': 46, '35,000-69,999': 30, '70,000 or more': 8 },
    given: {
      employment: {
        Employed: { 'under 15,000': 0.08, '35,000-69,999': 1.4 },
        'Self-employed': { '70,000 or more': 2.5 },
        Unemployed: { 'under 15,000': 6, '35,000-69,999': 0.2, '70,000 or more': 0.02 },
        Retired: { 'under 15,000': 1.2, '35,000-69,999': 0.4, '70,000 or more': 0.15 },
        'Other inactive': { 'under 15,000': 6, '35,000-69,999': 0.3, '70,000 or more': 0.1 },
      },
      education: {
        Primary: { 'under 15,000': 3, '35,000-69,999': 0.3, '70,000 or more': 0.03 },
        Tertiary: { 'under 15,000': 0.3, '15,000-34,999': 0.5, '35,000-69,999': 1.5, '70,000 or more': 4 },
      },
      household_type: {
        Couple: { 'under 15,000': 0.3, '70,000 or more': 1.8 },
        'Couple, children': { 'under 15,000': 0.3, '70,000 or more': 1.8 },
      },
    },
  },
  tenure: {
    weights: { Owner: 56, 'Private rent': 28, 'Social rent': 14, 'Rent free': 2 },
    given: {
      region: { Capital: { Owner: 0.6, 'Private rent': 1.6 }, Islands: { Owner: 1.6, 'Rent free': 2 } },
      age_group: {
        '18-34': { Owner: 0.3, 'Private rent': 2.4 },
        '65-79': { Owner: 2.5, 'Private rent': 0.3 },
        '80+': { Owner: 3, 'Private rent': 0.3, 'Rent free': 2 },
      },
      income_band: {
        'under 15,000': { Owner: 0.4, 'Social rent': 3, 'Rent free': 2 },
        '35,000-69,999': { Owner: 1.6, 'Social rent': 0.2, 'Rent free': 0.4 },
        '70,000 or more': { Owner: 2.5, 'Social rent': 0.01, 'Rent free': 0.2 },
      },
    },
  },
};

/** Where the bands of the survey begin and end in numbers; the last ones end at what is invented as the largest. */
const AGES: Readonly<Record<string, readonly [number, number]>> = {
  '18-34': [18, 35],
  '35-49': [35, 50],
  '50-64': [50, 65],
  '65-79': [65, 80],
  '80+': [80, 96],
};
const INCOMES: Readonly<Record<string, readonly [number, number]>> = {
  'under 15,000': [3000, 15_000],
  '15,000-34,999': [15_000, 35_000],
  '35,000-69,999': [35_000, 70_000],
  '70,000 or more': [70_000, 160_000],
};

/** Incomes are told in whole hundreds, as people do. */
const INCOME_UNIT = 100;

/** Categories of each household of the survey, by variable in the order of the columns. */
function households(seed: number, records: number): Record<string, string>[] {
  const uniform = seedrandom(`household-table/${seed}`);
  const variables = Object.entries(HOUSEHOLD);
  return Array.from({ length: records }, () => {
    const household: Record<string, string> = {};
    for (const [name, conditional] of variables) household[name] = drawCategory(conditional, household, uniform());
    return household;
  });
}

/**
 * CSV bytes of an invented household survey: one row a household, seven categorical variables that depend on
 * each other, several hundred distinct rows and many that occur once. The same seed and number of records give
 * the same bytes everywhere.
 */
export function householdTable(seed: number, records = 1500): Uint8Array {
  return encodeCsv(Object.keys(HOUSEHOLD), households(seed, records).map(Object.values));
}

/** CSV bytes of the same households with `age` in years and `income` in numbers, in place of their bands. */
export function householdNumbers(seed: number, records = 1500): Uint8Array {
  const uniform = seedrandom(`household-numbers/${seed}`);
  const within = ([from, to]: readonly [number, number], unit: number) => from + unit * Math.floor((uniform() * (to - from)) / unit);
  const header = Object.keys(HOUSEHOLD).map((name) => ({ age_group: 'age', income_band: 'income' })[name] ?? name);
  const rows = households(seed, records).map(({ age_group, income_band, ...others }) => {
    const numbers: Record<string, string | number> = {
      ...others,
      age: within(AGES[age_group!]!, 1),
      income: within(INCOMES[income_band!]!, INCOME_UNIT),
    };
    return header.map((name) => numbers[name]!);
  });
  return encodeCsv(header, rows);
}

/** The category in which the point `uniform` (in [0, 1)) of the conditional distribution lies. */
function drawCategory({ weights, given = {} }: Conditional, household: Record<string, string>, uniform: number) {
  const conditioned = Object.entries(weights).map(([category, weight]) => {
    const factors = Object.entries(given).map(([name, table]) => table[household[name]!]?.[category] ?? 1);
    return { category, weight: factors.reduce((product, factor) => product * factor, weight) };
  });
  let left = uniform * conditioned.reduce((total, { weight }) => total + weight, 0);
  for (const { category, weight } of conditioned) {
    left -= weight;
    if (left < 0) return category;
  }
  // Rounding may leave a crumb after the last subtraction.
  return conditioned.findLast(({ weight }) => weight > 0)!.category;
}
