import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import { formatEstimate } from '../../shared/report/words/format-number.ts';
import { powerOf, type WeighedBits } from '../../shared/risk/membership/roc.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { runSynthrisk } from '../commands/run-synthrisk.ts';

/** Two tables that differ in whether they have the targets. */
interface TargetTables {
  readonly name: string;
  readonly head: readonly string[];
  readonly base: readonly string[][];
  readonly targets: readonly string[][];
}

/** Bits of every target, a list a release: of releases of the table with the targets, and of releases of the table without. */
interface TargetBits {
  readonly records: number;
  readonly datasets: number;
  readonly members: readonly number[][];
  readonly others: readonly number[][];
}

/**
 * Releases both tables several times and finds how probable it is of every target that it is in the table, from the release and
 * all other records. Whatever the table is like, these ratios are what they claim to be if the program is right, since the program
 * made the releases. Runs that a folder has already are not done again.
 */
export async function measureTargets(
  { name, head, base, targets }: TargetTables,
  { datasets, releases, out, always }: { datasets: number; releases: number; out: string; always: readonly string[] },
): Promise<void> {
  const known = new Set(base.flatMap((line) => line.map((value, column) => `${column}:${value}`)));
  const asked = targets.filter((line) => line.every((value, column) => known.has(`${column}:${value}`)));
  const file = (of: string, rows: readonly (readonly string[])[]) => {
    const path = join(out, `${name}-${of}.csv`);
    writeFileSync(path, encodeCsv(head, rows));
    return path;
  };
  const [withThem, without, control] = [file('with', [...base, ...asked]), file('without', base), file('targets', asked)];
  const bits: { members: number[][]; others: number[][] } = { members: [], others: [] };
  const evaluate = async (of: string, args: readonly string[], table: string) => {
    const run = join(out, of);
    const settings = ['--datasets', `${datasets}`, ...always, '--out', run];
    if (!existsSync(join(run, 'manifest.json'))) await runSynthrisk(['evaluate', ...args, ...settings]);
    return parse(readFileSync(join(run, 'confidential', `${table}.csv`)), { columns: true }) as Record<string, string>[];
  };
  for (let release = 1; release <= releases; release++) {
    const found = await evaluate(`${name}-with-${release}`, [withThem], 'attribute-risk');
    const byValues = new Map(found.map((row) => [JSON.stringify(head.map((column) => row[column])), Number(row.membership_bits)]));
    bits.members.push(asked.map((line) => byValues.get(JSON.stringify(line))!));
    const others = await evaluate(`${name}-without-${release}`, [without, '--control', control], 'control-membership');
    bits.others.push(others.map((row) => Number(row.membership_bits)));
    console.error(`${name}, releases ${release} of both tables done`);
    writeFileSync(join(out, `${name}-targets.json`), JSON.stringify({ records: base.length, datasets, ...bits } satisfies TargetBits));
  }
}

const even = (bits: readonly number[][]): WeighedBits => ({ bits: bits.flat(), weights: bits.flat().map(() => 1) });
const meanOf = (bits: readonly number[][], sign: 1 | -1) =>
  bits.flat().reduce((sum, value) => sum + 2 ** (sign * value), 0) / bits.flat().length;

/** A figure of all releases, with the error of leaving out the releases of both tables one at a time. */
function withError({ members, others }: TargetBits, figure: (members: readonly number[][], others: readonly number[][]) => number): string {
  const without = members.map((_, release) =>
    figure(
      members.filter((_, at) => at !== release),
      others.filter((_, at) => at !== release),
    ),
  );
  const mean = without.reduce((sum, value) => sum + value, 0) / without.length;
  const squares = without.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return formatEstimate(figure(members, others), Math.sqrt((squares * (without.length - 1)) / without.length));
}

/** The table of what a folder has of such experiments. */
export function targetRows(out: string): string {
  const rows = readdirSync(out)
    .filter((name) => name.endsWith('-targets.json'))
    .map((name) => {
      const found: TargetBits = JSON.parse(readFileSync(join(out, name), 'utf8'));
      return [
        `${name.slice(0, -'-targets.json'.length)}, ${found.records} records and ${found.members[0]!.length} targets`,
        `${found.datasets}`,
        `${found.members.length}`,
        withError(found, (members) => meanOf(members, -1)),
        withError(found, (_, others) => meanOf(others, 1)),
        withError(found, (members, others) => powerOf(even(members), even(others)) ?? Number.NaN),
      ];
    });
  const head = ['table', 'datasets', 'releases of each table', 'mean of 1 / LR, with them', 'mean of LR, without them', 'power'];
  return markdownTable(head, rows);
}
