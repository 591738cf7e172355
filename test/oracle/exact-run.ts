import { type Config, configSchema } from '../../shared/contracts/config/config.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows, runFigures } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

/** Categorical records whose risk is known exactly. */
export interface ExactTable {
  /** records x variables; the code after the last of a variable stands for a missing value. */
  readonly codes: Uint16Array;
  readonly sizes: readonly number[];
}

/** What is run on it. */
export interface ExactRun {
  readonly seed?: number;
  readonly model: object;
  readonly mcmc: object;
  readonly synthesis?: object;
  readonly attributeRisk?: object;
  /** Datasets made elsewhere, records x variables each; without them the run synthesizes its own. */
  readonly elsewhere?: readonly Uint16Array[];
  /** Files of a prior. */
  readonly prior?: readonly Uint8Array[];
  /** Records (from 1) of the file `known.csv`. */
  readonly known?: readonly number[];
  /** People of a control, people x variables. */
  readonly control?: Uint16Array;
  /** An impossible cell by row, an empty text for any value. */
  readonly zeros?: readonly (readonly string[])[];
  /** Combinations in a batch. */
  readonly batchSize?: number;
}

/** Chains on a handful of records with two classes, which forget their start. */
export const FORGETFUL_CHAINS = { chains: 32, burnIn: 50, draws: 250, thin: 1, pairedChains: 24, pairedDraws: 200, pairedThin: 4 };

/** A row of `attribute-risk.csv`: a combination, or a record where variables are kept. */
export interface RiskRow {
  readonly codes: readonly number[];
  readonly probability: number;
  readonly probabilitySe: number;
  readonly rank: number;
  readonly rankLow: number;
  readonly rankHigh: number;
  readonly informationBits: number;
  readonly effectiveDraws: number;
  /** Of models of counts alone; NaN elsewhere. */
  readonly privacyLoss: number;
  /** Records that the row stands for. */
  readonly count: number;
  /** Any other column. */
  readonly figure: (name: string) => number;
}

/** Name of a variable (from 0) in the files of a run. */
export const nameOf = (variable: number) => `v${variable}`;

/** A category's text, so that texts are in the order of their codes. */
export const textOf = (code: number) => `c${code}`;

const namesOf = ({ sizes }: ExactTable) => sizes.map((_, k) => nameOf(k));

/** CSV bytes of codes. */
function csvOf({ codes, sizes }: ExactTable): Uint8Array {
  const width = sizes.length;
  const text = (code: number, size: number) => (code === size ? null : textOf(code));
  return encodeCsv(
    namesOf({ codes, sizes }),
    Array.from({ length: codes.length / width }, (_, i) => sizes.map((size, k) => text(codes[i * width + k]!, size))),
  );
}

/** Codes of texts, the size of a variable where one is missing. */
const codesOf = (texts: readonly string[], sizes: readonly number[]) =>
  texts.map((text, k) => (text === '' ? sizes[k]! : Number(text.slice(1))));

function configOf({ sizes }: ExactTable, { seed = 1, model, mcmc, synthesis, attributeRisk, control, zeros }: ExactRun): Config {
  return configSchema.parse({
    seed,
    model,
    mcmc,
    synthesis: { ...synthesis, ...(zeros ? { structuralZeros: 'zeros.csv' } : {}) },
    attributeRisk: { ...attributeRisk, ...(control ? { control: 'control.csv' } : {}) },
    variables: Object.fromEntries(sizes.map((size, k) => [nameOf(k), { categories: Array.from({ length: size }, (_, c) => textOf(c)) }])),
  });
}

/** What the risk of a table is by a run from its plan to its files, as every command carries one out. */
export async function runExactly(table: ExactTable, run: ExactRun) {
  const { elsewhere, prior, known, control, zeros, batchSize } = run;
  const { sizes } = table;
  const request: RunRequest = {
    ...TEST_KEYS,
    purpose: elsewhere ? 'assess' : 'evaluate',
    config: configOf(table, run),
    table: csvOf(table),
    ...(elsewhere ? { datasets: { origin: 'elsewhere', files: elsewhere.map((codes) => csvOf({ codes, sizes })) } } : {}),
    ...(prior ? { priorFiles: prior } : {}),
    ...(known
      ? {
          knownFiles: new Map([
            [
              'known.csv',
              encodeCsv(
                ['record'],
                known.map((record) => [record]),
              ),
            ],
          ]),
        }
      : {}),
    ...(control ? { control: csvOf({ codes: control, sizes }) } : {}),
    ...(zeros ? { structuralZeros: encodeCsv(namesOf(table), zeros) } : {}),
    ...(batchSize ? { batchSize } : {}),
  };
  const { store, plan, keys } = await runFigures(request);
  const [header, ...lines] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv)) as [string[], ...string[][]];
  const rows = lines.map((line): RiskRow => {
    const cell = (name: string) => line[header.indexOf(name)]!;
    return {
      codes: codesOf(namesOf(table).map(cell), sizes),
      probability: Number(cell('probability')),
      probabilitySe: Number(cell('probability_se')),
      rank: Number(cell('rank')),
      rankLow: Number(cell('rank_low')),
      rankHigh: Number(cell('rank_high')),
      informationBits: Number(cell('information_bits')),
      effectiveDraws: Number(cell('effective_draws')),
      privacyLoss: Number(cell('privacy_loss') ?? NaN),
      count: Number(cell('count')),
      figure: (name) => Number(cell(name)),
    };
  });
  const released: Uint16Array[] = [];
  for (let l = 1; l <= plan.datasets.count && !elsewhere; l++) {
    const [, ...records] = csvRows(await store.get(keys.release.dataset(l)));
    released.push(Uint16Array.from(records.flatMap((record) => codesOf(record, sizes))));
  }
  return { store, plan, keys, rows, datasets: elsewhere ?? released };
}

/** The first record (from 0) with the values of a row. */
export function recordOf({ codes, sizes }: ExactTable, row: RiskRow): number {
  const width = sizes.length;
  for (let i = 0; i < codes.length / width; i++) {
    if (row.codes.every((code, k) => code === codes[i * width + k])) return i;
  }
  throw new RangeError('no record has these values');
}

/** Synthesized variables alone of a dataset of all: records x synthesized. */
export function synthesizedOf(dataset: Uint16Array, width: number, synthesized: readonly number[]): Uint16Array {
  return Uint16Array.from({ length: (dataset.length / width) * synthesized.length }, (_, at) => {
    const record = Math.floor(at / synthesized.length);
    return dataset[record * width + synthesized[at % synthesized.length]!]!;
  });
}

/** Differences of a run's probabilities of the truth from exact ones, in its own standard errors. */
export function standardized(rows: readonly RiskRow[], exact: readonly number[]): number[] {
  if (rows.length !== exact.length) throw new RangeError('as many rows as probabilities');
  return rows.map(({ probability, probabilitySe }, i) => (probability - exact[i]!) / probabilitySe);
}

/** The largest of some numbers without their signs. */
export const largest = (values: readonly number[]) => Math.max(...values.map(Math.abs));

/**
 * The datasets with one of them repeated in the place of each other, and with each left out: releases for which the answer
 * would be another.
 */
export function mistakenReleases(datasets: readonly Uint16Array[]): Uint16Array[][] {
  const repeated = datasets.flatMap((from, f) => datasets.flatMap((_, t) => (f === t ? [] : [datasets.with(t, from)])));
  const without = datasets.length === 1 ? [] : datasets.map((_, l) => datasets.toSpliced(l, 1));
  return [...repeated, ...without];
}
