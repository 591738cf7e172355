import { UTILITY_DEFAULTS } from '../../shared/contracts/config/utility.ts';
import type { TableSchema } from '../../shared/contracts/schema.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { countedRows, rowsOfRecords } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { openUtility } from '../../shared/utility/open-utility.ts';
import type { prepareUtility } from '../../shared/utility/prepare-utility.ts';

const RECORDS = 400;

/** A categorical variable with categories from 1. */
const categorical = (name: string, size: number) => ({
  name,
  type: 'categorical' as const,
  categories: Array.from({ length: size }, (_, code) => `${code + 1}`),
});

/** The variables of the tables that `reference.R` draws as well. */
export const REFERENCE_SCHEMA: TableSchema = {
  variables: [categorical('SEX', 2), categorical('AGE', 4), categorical('EDUC', 3), { name: 'INCOME', type: 'continuous' }],
};

/** Whole numbers of Lehmer's generator, exact in doubles here as in R. */
function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (48271 * state) % 2147483647;
    return state;
  };
}

/**
 * The tables of `reference.R`: the first is the table, of the others EDUC and INCOME are drawn anew with another slope,
 * and where all is synthesized SEX and AGE too.
 */
export function referenceTables(datasets: number, kind: 'partial' | 'full'): Table[] {
  const next = lehmer(2026);
  const below = (bound: number) => next() % bound;
  const kept = { sex: new Uint8Array(RECORDS), age: new Uint8Array(RECORDS) };
  return Array.from({ length: datasets + 1 }, (_, l) => {
    const [sex, age] = [new Uint8Array(RECORDS), new Uint8Array(RECORDS)];
    const educ = new Uint8Array(RECORDS);
    const income = new Float64Array(RECORDS);
    for (let i = 0; i < RECORDS; i++) {
      if (l === 0 || kind === 'full') {
        sex[i] = below(2);
        age[i] = Math.min(3, below(6));
      } else {
        sex[i] = kept.sex[i]!;
        age[i] = kept.age[i]!;
      }
      const level = below(100) + (l === 0 ? 8 : 5) * age[i]! + 10 * sex[i]!;
      educ[i] = level < 45 ? 0 : level < 90 ? 1 : 2;
      income[i] = 1000 + 150 * educ[i]! + 100 * age[i]! + below(1000);
    }
    if (l === 0) Object.assign(kept, { sex, age });
    return {
      schema: REFERENCE_SCHEMA,
      records: RECORDS,
      columns: [
        { type: 'categorical', codes: sex },
        { type: 'categorical', codes: age },
        { type: 'categorical', codes: educ },
        { type: 'continuous', values: income },
      ],
    };
  });
}

/** What `measureUtility` takes of three datasets of the reference table, with few permutations. */
export function referenceMeasurement(kind: 'full' | 'partial'): Parameters<typeof prepareUtility> {
  const [table, ...datasets] = referenceTables(3, kind).map(kind === 'full' ? countedRows : rowsOfRecords);
  const settings = { ...UTILITY_DEFAULTS, permutations: 3 };
  const opened = openUtility(settings, {}, table!.schema, kind === 'full' ? [0, 1, 2, 3] : [2, 3]);
  return [{ table: table!, datasets }, opened, (name) => seededStreams(1).open(name)];
}
