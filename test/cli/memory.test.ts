import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { largeTable } from '../../bench/million/large-table.ts';
import { parseByteSize } from '../../cli/flags/parse-byte-size.ts';
import { smallTable } from '../pipeline/small-run.ts';
import { FLAGS_WITH_UTILITY, filesBelow, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();

beforeAll(() => {
  writeFileSync(join(directory, 'small.csv'), smallTable({ records: 600 }));
  writeFileSync(join(directory, 'medium.csv'), largeTable(1, { records: 150_000, combinations: 20_000 }));
});

async function plan(...args: string[]): Promise<{ memoryMiB: number; memoryLimitMiB: number; batches: number }> {
  const { stdout, stderr, code } = await synthrisk(directory, ['plan', ...args, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe('the predicted memory', () => {
  it.each([
    ['a small table', ['small.csv', ...FLAGS_WITH_UTILITY]],
    // Two candidates and datasets: how many is of no matter here, and time is.
    ['a table of 20,000 combinations', ['medium.csv', ...FLAGS_WITH_UTILITY, '--unknown', 'V1_2', '--datasets', '2']],
  ])('is within 25 %% of what %s takes', async (name, args) => {
    const { memoryMiB } = await plan(...args);
    const out = name.replaceAll(' ', '-').replace(',', '');
    const { code, stderr } = await synthrisk(directory, ['evaluate', ...args, '--out', out], { process: 'own' });
    expect(code, stderr).toBe(0);
    const { peakMemoryMiB } = JSON.parse(readFileSync(join(directory, out, 'run.json'), 'utf8'));
    expect(memoryMiB / peakMemoryMiB).toBeGreaterThan(0.75);
    expect(memoryMiB / peakMemoryMiB).toBeLessThan(1.25);
  });
});

it('tells the memory of the program, and nothing of what started it', async () => {
  const held = Buffer.alloc(700 * 1024 * 1024, 1);
  const { code, stderr } = await synthrisk(directory, ['evaluate', 'small.csv', ...SMALL_FLAGS, '--out', 'beside-much'], {
    process: 'own',
  });
  expect(code, stderr).toBe(0);
  const { peakMemoryMiB } = JSON.parse(readFileSync(join(directory, 'beside-much', 'run.json'), 'utf8'));
  expect(peakMemoryMiB).toBeGreaterThan(50);
  expect(peakMemoryMiB).toBeLessThan(held.length / 1024 / 1024);
});

describe('--memory', () => {
  const small = ['small.csv', ...FLAGS_WITH_UTILITY];

  it.each(['evaluate', 'synthesize', 'assess'])('lets %s be refused before it starts', async (command) => {
    const flags = command === 'synthesize' ? ['--classes', '6', '--burn-in', '10', '--jobs', '2'] : FLAGS_WITH_UTILITY;
    const foreign = command === 'assess' ? ['--synthetic', 'small.csv'] : [];
    const args = [command, 'small.csv', ...flags, '--out', 'refused', '--memory', '50MiB', ...foreign];
    const { code, stdout, stderr } = await synthrisk(directory, args);
    expect(stderr).toMatch(/^Error: The run would take about \d+ MiB .*2 jobs.*limit of 50 MiB.*a higher --memory/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(filesBelow(join(directory, 'refused'))).toEqual([]);
  });

  it('names the jobs that would fit', async () => {
    const args = ['evaluate', ...small, '--jobs', '8', '--out', 'refused', '--memory', '220MiB'];
    const { code, stderr } = await synthrisk(directory, args);
    expect(code).toBe(2);
    const jobs = /What helps: --jobs (\d+);/.exec(stderr)?.[1];
    expect(Number(jobs), stderr).toBeGreaterThan(1);
    expect((await plan(...small, '--jobs', jobs!)).memoryMiB).toBeLessThanOrEqual(220);
  });

  it('is told by plan, which refuses nothing', async () => {
    const { stdout, code } = await synthrisk(directory, ['plan', ...small, '--memory', '50M']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/more than the limit of 50 MiB: the run would be refused/);
  });
});

describe('parseByteSize()', () => {
  it.each([
    ['800MiB', 800 * 1024 * 1024],
    ['800m', 800 * 1024 * 1024],
    ['1.5GiB', 1536 * 1024 * 1024],
    ['2 G', 2 * 1024 * 1024 * 1024],
    ['1GB', 1_000_000_000],
  ])('takes %s', (size, bytes) => {
    expect(parseByteSize(size)).toBe(bytes);
  });

  it.each(['4', 'lots', '-1G', '0G', '4KiB', '', '1e3M'])('refuses %j', (size) => {
    expect(() => parseByteSize(size)).toThrow('expected a size such as 800MiB or 4GiB');
  });
});
