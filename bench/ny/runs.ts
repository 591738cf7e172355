import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'yaml';
import { type FoundBounds, foundBoundsSchema } from '../../shared/contracts/results/bounds.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import type { Table } from '../../shared/table/table.ts';
import { readSummary, runSynthrisk } from '../commands/run-synthrisk.ts';
import { AGES, JOINT, KNOWN, REGRESSION, SYNTHESIZERS } from './setting.ts';

/** How much the commands compute. */
export interface StudySize {
  /** Of a release. */
  readonly datasets: number;
  /** Of each bound. */
  readonly resamples: number;
  /** In place of the synthesizer's own. */
  readonly burnIn?: number;
}

/** As much as in Hu & Savitsky (2018). */
const OF_001: StudySize = { datasets: 20, resamples: 100 };

/** What the commands find of the release of one synthesizer. */
export interface SynthesizerRun {
  readonly utility: NonNullable<Summary['utility']>;
  readonly inherent: FoundBounds;
  /** Measures of every resample of either bound, by scenario: one row a resample. */
  readonly resamples: readonly Readonly<Record<string, string>>[];
}

/** A release of each synthesizer, in the order of {@link SYNTHESIZERS}. */
export type StudyRuns = readonly SynthesizerRun[];

/**
 * Carries the study out by the commands `synthesize` and `inherent`, or reads what of it has finished.
 *
 * @param table its last variable is the joint one
 * @param out folder of the runs and their configs, which anybody may run again
 * @param run carries a command out
 */
export async function studyRuns(
  table: Table,
  out: string,
  size = OF_001,
  run: (args: readonly string[]) => Promise<void> = runSynthrisk,
): Promise<StudyRuns> {
  mkdirSync(out, { recursive: true });
  const joined = resolve(out, 'joined.csv');
  writeFileSync(joined, encodeCsv([...KNOWN, JOINT], rowsOf(table)));
  const runs: SynthesizerRun[] = [];
  for (const name of Object.keys(SYNTHESIZERS) as (keyof typeof SYNTHESIZERS)[]) {
    const [config, release, bounds] = ['.yaml', '', '-inherent'].map((end) => join(out, `${name}${end}`));
    writeFileSync(config!, stringify(runConfig(table, joined, name, size)));
    await run(['synthesize', '--config', config!, '--out', release!, '--resume']);
    const datasets = readdirSync(join(release!, 'release')).filter((file) => file.endsWith('.csv'));
    const files = datasets.map((_, l) => join(release!, 'release', `synthetic-${l + 1}.csv`));
    const flags = ['--synthesized', JOINT, '--resamples', `${size.resamples}`, '--synthetic', ...files];
    if (!existsSync(join(bounds!, 'confidential', 'inherent.json')))
      await run(['inherent', joined, '--config', config!, '--out', bounds!, ...flags]);
    runs.push(readRun(release!, bounds!));
  }
  return runs;
}

/** The settings of a synthesizer: priors and truncations of Hu & Savitsky (2018), section 2.3, and who matches. */
export function runConfig(
  table: Table,
  path: string,
  name: keyof typeof SYNTHESIZERS,
  { datasets, burnIn = SYNTHESIZERS[name].burnIn }: StudySize,
): object {
  const { model } = SYNTHESIZERS[name];
  return {
    table: path,
    variables: { AGE: { categories: AGES, ordered: true }, [JOINT]: { categories: categoriesByReference(table) } },
    model,
    mcmc: { burnIn },
    synthesis: { datasets, synthesized: [JOINT] },
    utility: { regressions: [REGRESSION] },
    identification: KNOWN.map((_, last) => ({ name: KNOWN.slice(0, last + 1).join(', '), known: KNOWN.slice(0, last + 1) })),
  };
}

function readRun(release: string, bounds: string): SynthesizerRun {
  const { utility } = readSummary(release);
  if (utility === null) throw new RangeError(`${release} has no utility`);
  const read = (file: string) => readFileSync(join(bounds, 'confidential', file), 'utf8');
  return {
    utility,
    inherent: foundBoundsSchema.parse(JSON.parse(read('inherent.json'))),
    resamples: parse(read('inherent.csv'), { columns: true, bom: true }),
  };
}

/**
 * Categories of the joint variable, the one that is found at most ages first, so that a regression compares the others
 * with it: an age of which all records have the value that others are compared with makes every coefficient infinite.
 */
function categoriesByReference(table: Table): string[] {
  const last = table.columns.length - 1;
  const [joint, age] = [last, KNOWN.indexOf('AGE')].map((variable) => categorical(table, variable));
  const ages = joint!.categories.map(() => new Set<number>());
  const records = joint!.categories.map(() => 0);
  for (let record = 0; record < table.records; record++) {
    const value = joint!.codes[record]!;
    ages[value]!.add(age!.codes[record]!);
    records[value]! += 1;
  }
  return [...joint!.categories.keys()]
    .sort((a, b) => ages[b]!.size - ages[a]!.size || records[b]! - records[a]!)
    .map((value) => joint!.categories[value]!);
}

function rowsOf(table: Table): string[][] {
  const columns = table.columns.map((_, variable) => categorical(table, variable));
  return Array.from({ length: table.records }, (_, record) => columns.map(({ categories, codes }) => categories[codes[record]!]!));
}

function categorical({ schema, columns }: Table, index: number) {
  const [variable, column] = [schema.variables[index]!, columns[index]!];
  if (variable.type !== 'categorical' || column.type !== 'categorical') {
    throw new RangeError(`variable ${variable.name} is not categorical`);
  }
  return { categories: variable.categories, codes: column.codes };
}
