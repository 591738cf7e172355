import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { AttackSummary } from '../../shared/contracts/results/attack.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { drawDistinct } from '../../shared/random/draw-distinct.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';

const PROGRAM = resolve('dist/synthrisk.mjs');

/** Share of the records that no release is made from. */
const CONTROL_SHARE = 0.2;

/** What an intruder knows and wants to learn, where a measure asks for it. */
const KNOWN = { keys: ['AGE', 'SEX', 'MARST', 'RACESING', 'OWNERSHP'], target: 'EDUC' };

/** Releases of the table that are compared. */
export const RELEASES: readonly { readonly name: string; readonly flags: readonly string[] }[] = [
  { name: 'EDUC by trees', flags: ['--model', 'cart', '--synthesized', 'EDUC'] },
  { name: 'all by the DPMPM', flags: ['--unknown', 'EDUC', '--precision', 'quick'] },
];

/** What is said of one release: the figures of both commands, and of each record of the table a row of each. */
export interface ComparedRelease {
  readonly name: string;
  readonly summary: Summary;
  readonly attack: AttackSummary;
  /** Rows of attribute-risk.csv and of attack-records.csv, by the names of their columns, in the order of the records. */
  readonly risks: readonly Readonly<Record<string, string>>[];
  readonly attacks: readonly Readonly<Record<string, string>>[];
}

const readRows = (path: string): Record<string, string>[] => parse(readFileSync(path), { columns: true, bom: true });
const readJson = <Document>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as Document;
const run = (...args: string[]) => {
  execFileSync(process.execPath, [PROGRAM, ...args, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'] });
};

/** Divides a table by chance into what is released from and a control: the paths of both. */
export function divideTable(table: string, folder: string): { released: string; control: string } {
  const [header, ...rows]: string[][] = parse(readFileSync(table), { bom: true });
  const order = drawDistinct(seededStreams(1).open('control'), rows.length, rows.length);
  const held = Math.round(CONTROL_SHARE * rows.length);
  const write = (name: string, places: Uint32Array) => {
    const path = join(folder, name);
    const own = Array.from(places.sort(), (place) => rows[place]!);
    writeFileSync(path, encodeCsv(header!, own));
    return path;
  };
  return { control: write('control.csv', order.slice(0, held)), released: write('table.csv', order.slice(held)) };
}

/** Evaluates and attacks a release by the commands, unless the folder has them already. */
export function compareRelease(
  { name, flags }: (typeof RELEASES)[number],
  { released, control }: { released: string; control: string },
  folder: string,
): ComparedRelease {
  const out = join(folder, name.replaceAll(' ', '-'));
  const attacked = `${out}-attacked`;
  if (!existsSync(join(out, 'manifest.json'))) {
    run('evaluate', released, ...flags, '--no-utility', '--out', out);
  }
  const datasets = Array.from({ length: 5 }, (_, l) => join(out, 'release', `synthetic-${l + 1}.csv`));
  if (!existsSync(attacked)) {
    const known = ['--keys', KNOWN.keys.join(','), '--target', KNOWN.target];
    run('attack', released, '--synthetic', ...datasets, '--control', control, ...known, '--out', attacked);
  }
  const risks = readRows(join(out, 'confidential', 'attribute-risk.csv'));
  return {
    name,
    summary: readJson<Summary>(join(out, 'confidential', 'summary.json')),
    attack: readJson<AttackSummary>(join(attacked, 'confidential', 'attack.json')),
    risks: 'record' in risks[0]! ? risks : ofRecords(risks, readRows(released)),
    attacks: readRows(join(attacked, 'confidential', 'attack-records.csv')),
  };
}

/** The row of each record's combination. */
function ofRecords(combinations: readonly Record<string, string>[], records: readonly Record<string, string>[]): Record<string, string>[] {
  const variables = Object.keys(records[0]!);
  const text = (row: Record<string, string>) => variables.map((variable) => row[variable]!).join('\n');
  const byText = new Map(combinations.map((row) => [text(row), row]));
  return records.map((record) => byText.get(text(record))!);
}
