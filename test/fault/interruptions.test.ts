import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { lockFolder } from '../../cli/run/folder-lock.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { CATEGORY_TREE_SETTINGS, mixedTable, smallTable } from '../pipeline/small-run.ts';
import { FLAGS_WITH_UTILITY, fileHashes, fileStates, filesBelow, type Outcome, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);

/** A short run whose parts make up no more of its artifacts than the other steps do. */
const evaluate = (out: string, ...flags: string[]) => [
  ...['evaluate', 'table.csv', ...FLAGS_WITH_UTILITY, '--datasets', '2', '--out', out, ...flags],
  ...(flags.includes('--batch-size') ? [] : ['--batch-size', '8']),
];

/** When a run ends itself: at its n-th artifact, before or after that one appears under its name. */
interface Stop {
  readonly artifact: number;
  readonly signal: 'SIGINT' | 'SIGKILL';
  readonly moment: 'before' | 'after';
}

/**
 * Loaded before the program, in its main thread and in each worker: ends the process at an artifact, however fast
 * the machine. A file store gives an artifact its name with one of the two verbs that are replaced here. An interrupt
 * is sent twice, as npm does when it passes Ctrl-C on.
 */
const STOPPER = `
import { promises as fs, readdirSync } from 'node:fs';
import { sep } from 'node:path';
const { folder, artifact, signal, moment } = JSON.parse(process.env.SYNTHRISK_TEST_STOP);
const artifacts = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.lock'))
    .filter((entry) => !entry.parentPath.split(sep).includes('.tmp')).length;
let sent = false;
const stopAt = (count) => {
  if (sent || count < artifact) return;
  sent = true;
  process.kill(process.pid, signal);
  process.kill(process.pid, signal);
};
for (const verb of ['link', 'rename']) {
  const original = fs[verb];
  fs[verb] = async (...paths) => {
    // The lock of the folder is no artifact.
    if (paths.some((path) => path.includes('.lock'))) return original(...paths);
    if (moment === 'before') stopAt(artifacts() + 1);
    await original(...paths);
    if (moment === 'after') stopAt(artifacts());
  };
}
`;

function evaluateUntil(out: string, stop: Stop, args = evaluate(out, '--quiet')): Promise<Outcome> {
  return synthrisk(directory, args, {
    nodeFlags: ['--import', './stopper.mjs'],
    env: { SYNTHRISK_TEST_STOP: JSON.stringify({ folder: inFolder(out), ...stop }) },
  });
}

const results = (out: string) => fileHashes(inFolder(out), 'release/', 'confidential/', 'diagnostics/');
const stateOf = (out: string) => JSON.parse(readFileSync(inFolder(out, 'run.json'), 'utf8'));
const artifacts = (out: string) => filesBelow(inFolder(out)).filter((path) => !/^\.(tmp\/|lock$)/.test(path));

// Windows has no signals to send: a process there ends at once, whatever it is sent.
describe.skipIf(process.platform === 'win32')('a run that is stopped', () => {
  let total: number;
  let expected: Record<string, string>;

  beforeAll(async () => {
    writeFileSync(inFolder('table.csv'), smallTable());
    writeFileSync(inFolder('stopper.mjs'), STOPPER);
    const { code, stderr } = await synthrisk(directory, evaluate('whole', '--quiet'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expected = results('whole');
    total = artifacts('whole').length;
  });

  const POINTS = 6;
  const uniform = new RandomStream(1, 'interruptions');
  const stops = Array.from({ length: POINTS }, (_, i) => ({
    part: i + 1,
    // One point in each sixth of the run, so that every step is met.
    share: (i + uniform.uniform()) / POINTS,
    signal: i % 2 === 0 ? ('SIGKILL' as const) : ('SIGINT' as const),
    moment: i % 4 < 2 ? ('before' as const) : ('after' as const),
  }));

  it.each(stops)(
    'leaves the bytes of one that was not, once resumed: $signal $moment an artifact in part $part',
    async ({ part, share, signal, moment }) => {
      const out = `stopped-${part}`;
      // Both manifests and who signed them are written by one step, which is gone through with.
      const artifact = 1 + Math.floor(share * (total - 3));
      const stopped = await evaluateUntil(out, { artifact, signal, moment });
      expect(stopped.stdout).toBe('');
      expect(artifacts(out).length).toBeLessThan(total);
      if (signal === 'SIGINT') {
        expect({ code: stopped.code, signal: stopped.signal }).toEqual({ code: 130, signal: null });
        expect(stopped.stderr).toBe(`Interrupted. The same command with --resume goes on: ${out}\n`);
        expect(stateOf(out).status).toBe('interrupted');
      } else {
        expect({ code: stopped.code, signal: stopped.signal }).toEqual({ code: null, signal: 'SIGKILL' });
        expect(artifact === 1 || stateOf(out).status === 'running').toBe(true);
      }
      const resumed = await synthrisk(directory, evaluate(out, '--quiet', '--resume'));
      expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
      expect(results(out)).toEqual(expected);
      expect(filesBelow(inFolder(out))).toEqual(filesBelow(inFolder('whole')));
      expect(stateOf(out).status).toBe('finished');
    },
  );

  it('is refused without --resume, with a word on it, and stays as it is', async () => {
    // While the main thread itself puts the results together: only the report and what follows is missing.
    const stop: Stop = { artifact: total - 2, signal: 'SIGINT', moment: 'after' };
    const { code } = await evaluateUntil('again', stop);
    expect(code).toBe(130);
    const before = fileStates(inFolder('again'));
    const refused = await synthrisk(directory, evaluate('again'));
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^Error: again .*Add --resume/);
    expect(fileStates(inFolder('again'))).toEqual(before);
  });

  it('leaves alone a run on which another process is at work, and what that is writing', async () => {
    const stop: Stop = { artifact: total - 3, signal: 'SIGINT', moment: 'after' };
    expect((await evaluateUntil('busy', stop)).code).toBe(130);
    const lock = await lockFolder(inFolder('busy'));
    const writing = inFolder('busy', '.tmp', 'half-written');
    writeFileSync(writing, 'half');
    const before = fileStates(inFolder('busy'));
    const refused = await synthrisk(directory, evaluate('busy', '--resume'));
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^Error: Another process \(\d+\) is at work on busy/);
    expect(fileStates(inFolder('busy'))).toEqual(before);
    await lock.release();
    const resumed = await synthrisk(directory, evaluate('busy', '--quiet', '--resume'));
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(results('busy')).toEqual(expected);
    expect(filesBelow(inFolder('busy'))).toEqual(filesBelow(inFolder('whole')));
  });

  it('keeps its batches when it is resumed with another batch size', async () => {
    const { code } = await evaluateUntil('batches', { artifact: total - 8, signal: 'SIGKILL', moment: 'after' });
    expect(code).toBeNull();
    const flags = ['--quiet', '--resume', '--batch-size', '1'];
    const resumed = await synthrisk(directory, evaluate('batches', ...flags));
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(results('batches')).toEqual(expected);
    expect(filesBelow(inFolder('batches'))).toEqual(filesBelow(inFolder('whole')));
  });
});

describe.skipIf(process.platform === 'win32')('a run by trees that is stopped', () => {
  const byTrees = (out: string, ...flags: string[]) => [
    ...['evaluate', 'mixed.csv', '--config', 'trees.yaml', '--batch-size', '7', '--quiet', '--out', out],
    ...flags,
  ];

  beforeAll(async () => {
    writeFileSync(inFolder('mixed.csv'), mixedTable({ records: 40 }));
    writeFileSync(inFolder('trees.yaml'), stringify(CATEGORY_TREE_SETTINGS));
    writeFileSync(inFolder('stopper.mjs'), STOPPER);
    expect((await synthrisk(directory, byTrees('trees'))).code).toBe(0);
  });

  it.each([
    ['trees', 'SIGINT', 'before'],
    ['synthesis', 'SIGKILL', 'after'],
    ['parts', 'SIGKILL', 'before'],
  ] as const)('leaves the bytes of one that was not, once resumed: in %s/, %s', async (step, signal, moment) => {
    const out = `trees-${step}`;
    const whole = artifacts('trees');
    // Artifacts appear phase after phase: those of the step come after all that were there before it.
    const phases = ['table', 'trees', 'synthesis', 'parts'];
    const phaseOf = (path: string) => phases.findIndex((phase) => path.startsWith(`${phase}/`));
    const earlier = whole.filter((path) => phaseOf(path) >= 0 && phaseOf(path) < phases.indexOf(step));
    const stop: Stop = { artifact: earlier.length + 6, signal, moment };
    await evaluateUntil(out, stop, byTrees(out));
    expect(artifacts(out).length).toBeLessThan(whole.length);
    expect(artifacts(out).some((path) => path.startsWith('confidential/variable-risk'))).toBe(false);
    const resumed = await synthrisk(directory, byTrees(out, '--resume'));
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(results(out)).toEqual(results('trees'));
    expect(filesBelow(inFolder(out))).toEqual(filesBelow(inFolder('trees')));
  });
});
