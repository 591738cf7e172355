import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { AttackSummary } from '../../shared/contracts/results/attack.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { drawDistinct } from '../../shared/random/draw-distinct.ts';
import { KeyedStreams } from '../../shared/random/streams.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { lehmer } from '../risk/attack/reference-tables.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { testKey } from '../test-keys.ts';
import { runNumpy } from './programs.ts';

const directory = temporaryFolder();
const MEMBERSHIP = fileURLToPath(new URL('exact/membership.py', import.meta.url));
const NAMES = ['REGION', 'JOB', 'INCOME', 'HOURS'];
const CONTROL_RECORDS = 301;

it('tests of who is in the table are what a program in Python finds in the files', async () => {
  const below = lehmer(31);
  const people = (records: number) =>
    Array.from({ length: records }, () => {
      const [region, job] = [below(4), below(6)];
      return [`r${region}`, `j${job}`, `${1000 * region + below(5000)}`, `${10 * job + below(400) / 10}`];
    });
  const table = people(200);
  // A quarter of the first dataset are records of the table.
  const files = { table, control: people(CONTROL_RECORDS), z1: [...table.slice(0, 50), ...people(150)], z2: people(180) };
  for (const [name, rows] of Object.entries(files)) writeFileSync(join(directory, `${name}.csv`), encodeCsv(NAMES, rows));
  writeFileSync(join(directory, 'key'), encodeKey(testKey(2)));
  const random = new KeyedStreams(testKey(2), 1).open('attack/membership/control');
  writeFileSync(join(directory, 'split.json'), JSON.stringify([...drawDistinct(random, CONTROL_RECORDS, CONTROL_RECORDS)]));

  const given = ['--synthetic', 'z1.csv', 'z2.csv', '--control', 'control.csv', '--keys', 'REGION', '--target', 'JOB'];
  const { code, stdout, stderr } = await synthrisk(directory, [
    'attack',
    'table.csv',
    ...given,
    '--release-key',
    'key',
    '--json',
    '--quiet',
  ]);
  expect(code, stderr).toBe(0);
  const { membership } = JSON.parse(stdout) as AttackSummary;
  const paths = ['split.json', ...['table', 'control', 'z1', 'z2'].map((name) => `${name}.csv`)].map((name) => join(directory, name));
  const python = runNumpy(MEMBERSHIP, ...paths);
  expect(python, python.output).toMatchObject({ code: 0 });
  const expected = JSON.parse(python.output) as Record<string, Record<string, number>>;
  for (const [test, figures] of Object.entries(expected)) {
    const found = membership!.find((one) => one.test === test)! as unknown as Record<string, number>;
    for (const [name, value] of Object.entries(figures)) expect(found[name], `${test} ${name}`).toBeCloseTo(value, 9);
  }
});
