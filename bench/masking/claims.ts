import type { MaskingMethod } from '../../shared/contracts/config/masking.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import type { Table } from '../../shared/table/table.ts';
import { type Attack, type Attacked, attack, attackTable, averaged, values } from './attack.ts';
import { cartDatasets, dpmpmDatasets, populationOf } from './sources.ts';

/** A figure of re-identification. */
export interface Claim {
  readonly masking: string;
  readonly link: string;
  readonly found: Attacked;
  /** Of swapped values: percent of the ranks that they go at most. */
  readonly swapped?: number;
}

/** Three variables of the Census table whose R^2 are at most 0.013, with many distinct values. */
export const UNCORRELATED = ['AFNLWGT', 'EMCONTRB', 'POTHVAL'];

/** Ten of its thirteen: three wage variables of nearly the same values are left out. */
const LEFT_OUT = ['WSALVAL', 'ERNVAL', 'TAXINC'];

const ALL_BANDS = 'within neighbours';
const WEIGHTS = 'weights';

/** Places of variables by their names. */
export const placesOf = ({ schema }: Table, names: readonly string[]) =>
  names.map((name) => {
    const place = schema.variables.findIndex((variable) => variable.name === name);
    if (place < 0) throw new RangeError(`no variable ${name}`);
    return place;
  });

/** Ten variables of the table. */
export const tenOf = ({ schema }: Table) => [...schema.variables.keys()].filter((v) => !LEFT_OUT.includes(schema.variables[v]!.name));

/** The figures of the page, from masking with the seeds. */
export function measureClaims(table: Table, seeds: readonly number[], tell: (what: string) => void): Claim[] {
  const three = placesOf(table, UNCORRELATED);
  const all = [...table.columns.keys()];
  const claims: Claim[] = [];
  const add = (masking: string, link: string, asked: Attack, swapped?: number) => {
    claims.push({ masking, link, found: attack(table, asked, seeds), ...(swapped === undefined ? {} : { swapped }) });
    tell(`${masking}, ${link}`);
  };
  const ranking: MaskingMethod = { method: 'individual-ranking', k: 10, aggregate: 'mean' };
  const ranked = 'individual ranking, k = 10, three variables';
  const conjunction = { link: 'conjunction' } as const;
  add(ranked, "the paper's metric", { how: ranking, variables: three, link: { ...conjunction, bands: 1 } });
  add(ranked, ALL_BANDS, { how: ranking, variables: three, link: conjunction });
  add(ranked, WEIGHTS, { how: ranking, variables: three });
  for (const p of [1, 5, 10, 20]) {
    const how: MaskingMethod = { method: 'rank-swap', p };
    add(`rank swapping, p = ${p} %, three variables`, WEIGHTS, { how, variables: three }, p);
    add(`rank swapping, p = ${p} %, all 13 variables`, WEIGHTS, { how, variables: all }, p);
  }
  for (const k of [3, 5, 10]) add(`MDAV, k = ${k}, 13 variables`, 'nearest group', { how: { method: 'mdav', k }, variables: all });
  for (const noise of [0.01, 0.1]) {
    add(`noise, d = ${noise}, 13 variables`, WEIGHTS, { how: { method: 'noise', noise }, variables: all });
    add(`noise mixture, d = ${noise}, 13 variables`, WEIGHTS, { how: { method: 'noise-mixture', noise, separation: 0.9 }, variables: all });
  }
  addIntruders(table, claims, seeds, tell);
  addSynthetic(table, claims, seeds, tell);
  return claims;
}

/** The intruder's files of Winkler 2004, section 3: a population of which the release is a sample, and errors in it. */
function addIntruders(table: Table, claims: Claim[], seeds: readonly number[], tell: (what: string) => void): void {
  const ten = tenOf(table);
  const how: MaskingMethod = { method: 'individual-ranking', k: 3, aggregate: 'mean' };
  const population = populationOf(table, 1000, 1);
  const asked: [string, Attack][] = [
    ['the release is 0.1 % of the file', { how, variables: ten, population }],
    ['30 % of the variables of the file wrong', { how, variables: ten, errors: 0.3 }],
    ['both', { how, variables: ten, population, errors: 0.3 }],
  ];
  for (const [what, attacked] of asked) {
    const found = attack(table, attacked, attacked.population ? seeds.slice(0, 1) : seeds);
    claims.push({ masking: `individual ranking, k = 3, ten variables; ${what}`, link: WEIGHTS, found });
    tell(what);
  }
}

/** Share of the rows that are taken for outliers of a variable. */
const TAIL = 0.02;

/** Synthetic data by the outliers of its marginals and regressions (Winkler 2004, section 5). */
function addSynthetic(table: Table, claims: Claim[], seeds: readonly number[], tell: (what: string) => void): void {
  const kept = 0;
  const synthesized = [...table.columns.keys()].filter((v) => v !== kept);
  const told = { method: 'synthetic', tail: TAIL } as const;
  const add = (masking: string, datasets: readonly Table[], variables: readonly number[]) => {
    const figures = datasets.map((dataset, i) => attackTable(dataset, told, { variables }, table, i));
    const found = { ...averaged(figures), informationLoss: null };
    claims.push({ masking, link: 'outliers', found });
    tell(masking);
  };
  add('CART, 12 of 13 variables synthesized', cartDatasets(table, kept, seeds), synthesized);
  const all = [...table.columns.keys()];
  add('DPMPM on 50 quantile bands, every variable', dpmpmDatasets(table, 50, seeds), all);
  add('rows of the table in another order', shuffled(table, seeds), all);
}

/** The same rows with no relation to the records: what linkage finds by chance. */
function shuffled(table: Table, seeds: readonly number[]): Table[] {
  return seeds.map((seed) => {
    const random = new RandomStream(seed, 'masking/shuffled');
    const order = Uint32Array.from({ length: table.records }, (_, record) => record);
    for (let place = order.length - 1; place > 0; place--) {
      const other = random.below(place + 1);
      [order[place], order[other]] = [order[other]!, order[place]!];
    }
    const columns = table.columns.map((_, v) => {
      const column = values(table, v);
      return { type: 'continuous' as const, values: Float64Array.from(order, (record) => column[record]!) };
    });
    return { ...table, columns };
  });
}
