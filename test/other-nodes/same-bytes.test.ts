import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { householdTable } from '../../examples/household-table.ts';
import { fileHashes, synthrisk, temporaryFolder } from '../run-command.ts';
import { commandOf, type OtherNode } from './other-node.ts';

/** One version of every line that is supported beside that of CI (20), and one on the processor that functions run on. */
const OTHER_NODES: readonly OtherNode[] = [
  {
    arch: 'x64',
    version: '26.12.1',
    integrity: 'sha512-jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
  },
  {
    arch: 'x64',
    version: '22.23.3',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  {
    arch: 'x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  {
    arch: 'arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
];

const directory = temporaryFolder();
const SIZE =
  '--classes 5 --chains 3 --burn-in 5 --draws 4 --thin 1 --paired-chains 2 --paired-draws 4 --paired-thin 1 --jobs 1 --batch-size 30';
const ELSEWHERE = ['made-elsewhere/release/synthetic-1.csv', 'made-elsewhere/release/synthetic-2.csv'];

/** Runs that between them take most ways through the program. */
const RUNS = {
  'an evaluation by importance, of unknown variables': [
    ...['evaluate', 'table.csv', '--estimator', 'importance', '--unknown', 'region,education'],
    ...['--datasets', '2', ...SIZE.split(' ')],
  ],
  'an assessment of datasets made elsewhere, by one change': [...['assess', 'table.csv', '--synthetic', ...ELSEWHERE, ...SIZE.split(' ')]],
};
const NAMES = Object.keys(RUNS) as (keyof typeof RUNS)[];

/** SHA-256 of everything that a run leaves but `run.json`, which tells of time and place. */
async function hashesOf(name: keyof typeof RUNS, out: string, node: readonly string[]) {
  const { code, stderr } = await synthrisk(directory, [...RUNS[name], '--out', out], { node });
  expect(code, stderr).toBe(0);
  const { 'run.json': runState, ...hashes } = fileHashes(join(directory, out), '');
  expect(runState).toBeDefined();
  return hashes;
}

/** What this Node leaves; the runs are made once, by whichever test asks first. */
let own: Promise<Record<string, string>[]> | undefined;
async function runOwn() {
  writeFileSync(join(directory, 'table.csv'), householdTable(1, 60));
  const made = ['synthesize', 'table.csv', '--datasets', '2', '--seed', '5', '--classes', '5', '--burn-in', '5'];
  const { code, stderr } = await synthrisk(directory, [...made, '--out', 'made-elsewhere']);
  expect(code, stderr).toBe(0);
  const hashes = [];
  for (const [i, name] of NAMES.entries()) hashes.push(await hashesOf(name, `own-${i}`, [process.execPath]));
  return hashes;
}
async function ownHashes(name: keyof typeof RUNS) {
  own ??= runOwn();
  return (await own)[NAMES.indexOf(name)]!;
}

describe('another Node leaves the bytes of this one', () => {
  it('in runs that leave every kind of artifact', async () => {
    const paths = (await Promise.all(NAMES.map(ownHashes))).flatMap((hashes) => Object.keys(hashes));
    for (const kind of ['release/', 'confidential/', 'diagnostics/', 'parts/', 'manifest.json']) {
      expect(paths.some((path) => path.startsWith(kind))).toBe(true);
    }
    for (const chains of ['base', 'synthesis', 'stacked', 'alone']) {
      expect(paths.some((path) => path.startsWith(`draws/${chains}/`))).toBe(true);
    }
  });

  describe.each(OTHER_NODES)('Node $version on $arch', (node) => {
    it('is what it should be', () => {
      const [command, ...args] = commandOf(node);
      const script = 'process.stdout.write(process.version + " " + process.arch)';
      const told = execFileSync(command!, [...args, '-e', script], { encoding: 'utf8' });
      expect(told).toBe(`v${node.version} ${node.arch}`);
    });

    it.each(NAMES)('%s', async (name) => {
      const out = `${node.arch}-${node.version}-${NAMES.indexOf(name)}`;
      expect(await hashesOf(name, out, commandOf(node))).toEqual(await ownHashes(name));
    });
  });
});
