import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { PLACE_KEY, runKeys } from '../../../shared/contracts/keys.ts';
import { encodeKey } from '../../../shared/contracts/secret-key.ts';
import { sha256 } from '../../../shared/contracts/sha256.ts';
import { S3Store } from '../../../shared/storage/s3-store.ts';
import { CATEGORY_TREE_SETTINGS, mixedTable, smallTable } from '../../pipeline/small-run.ts';
import { fileHashes, SMALL_FLAGS, synthrisk, temporaryFolder } from '../../run-command.ts';
import { FakeS3 } from '../../storage/fake-s3.ts';
import { testKey } from '../../test-keys.ts';

const directory = temporaryFolder();

/** So precise that another round adds chains. */
const PRECISE = [...SMALL_FLAGS, '--datasets', '2', '--reproducibility', '0.9999', '--max-chains', '20'];

const batch = (command: string, run: string, ...args: string[]) => synthrisk(directory, ['batch', command, run, ...args]);
const listed = async (run: string) => JSON.parse((await batch('list', run, '--json')).stdout);

/** Everything of a run but when it was carried out. */
const filesOf = (run: string) => {
  const { 'run.json': _state, ...files } = fileHashes(join(directory, run), '');
  return files;
};

async function planned(run: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await synthrisk(directory, ['batch', 'plan', ...args, '--out', run]);
  expect(code, stderr).toBe(0);
}

beforeAll(() => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
  writeFileSync(join(directory, 'mixed.csv'), mixedTable());
  writeFileSync(join(directory, 'trees.yaml'), JSON.stringify(CATEGORY_TREE_SETTINGS));
});

describe('an evaluation as tasks', () => {
  it('leaves the bytes of `evaluate`, round after round, in whatever order tasks come, twice and at once', async () => {
    const { code } = await synthrisk(directory, ['evaluate', 'table.csv', ...PRECISE, '--out', 'whole']);
    expect(code).toBe(0);
    await planned('tasks', 'table.csv', ...PRECISE);
    // A run that is planned stays as it is.
    await planned('tasks', 'table.csv', ...PRECISE);
    const rounds = new Set<number>();
    for (let closed = false; !closed; ) {
      const { round, status, tasks } = await listed('tasks');
      rounds.add(round);
      if (status === 'tasks') {
        const half = Math.ceil(tasks.length / 2);
        const backwards = tasks.toReversed();
        const answers = await Promise.all([
          batch('run', 'tasks', backwards.slice(0, half).join(',')),
          batch('run', 'tasks', `${tasks[0]}-${tasks.at(-1)}`),
        ]);
        expect(answers.map((answer) => answer.code)).toEqual([0, 0]);
      } else {
        const answer = await batch('close', 'tasks');
        expect(answer.code, answer.stderr).toBe(0);
        closed = (await listed('tasks')).status === 'finished';
      }
    }
    expect(rounds.size).toBeGreaterThan(1);
    expect(filesOf('tasks')).toEqual(filesOf('whole'));
    // A task that comes late changes nothing, and what is finished is shown again.
    expect((await batch('run', 'tasks', '1-4')).code).toBe(0);
    const again = await batch('close', 'tasks');
    expect(again.stdout).toContain('Values guessed correctly');
    expect(again.stdout).toContain(': the same command with --details\n');
    expect((await batch('close', 'tasks', '--details')).code).toBe(0);
    expect(filesOf('tasks')).toEqual(filesOf('whole'));
  });

  it('does so of trees by the script for one machine, whose datasets need what is fitted first', async () => {
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    const program = fileURLToPath(new URL('../../../dist/synthrisk.mjs', import.meta.url));
    writeFileSync(join(bin, 'synthrisk'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(join(bin, 'synthrisk'), 0o755);
    const args = ['mixed.csv', '--config', 'trees.yaml'];
    expect((await synthrisk(directory, ['evaluate', ...args, '--out', 'trees'])).code).toBe(0);
    await planned('tree-tasks', ...args);
    const script = fileURLToPath(new URL('../../../examples/batch/on-one-machine.sh', import.meta.url));
    const { status, stderr } = spawnSync('sh', [script, 'tree-tasks', '2'], {
      cwd: directory,
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(filesOf('tree-tasks')).toEqual(filesOf('trees'));
  });

  it('lists what can be carried out now, one a line and in ranges, and says what to do', async () => {
    const { code, stdout } = await synthrisk(directory, ['batch', 'plan', 'table.csv', ...SMALL_FLAGS, '--out', 'listed']);
    expect(code).toBe(0);
    const { tasks, total, done } = await listed('listed');
    expect(stdout).toContain(`Planned in listed: ${total} tasks, of which 1-${tasks.length} can be carried out now.`);
    expect(done).toBe(0);
    expect((await batch('list', 'listed')).stdout).toBe(`${tasks.join('\n')}\n`);
    const run = await batch('run', 'listed', '2,2-2', '--json');
    expect([run.code, JSON.parse(run.stdout).carriedOut]).toEqual([0, [2]]);
    expect(JSON.parse((await batch('run', 'listed', '2', '--json')).stdout).carriedOut).toEqual([]);
    expect((await batch('list', 'listed', '--ranges')).stdout).toBe(`1,3-${tasks.length}\n`);
  });
});

describe('what planning wrote and somebody removed because it had decayed', () => {
  it('is put back by the same batch plan, and by --resume', async () => {
    const args = ['table.csv', ...SMALL_FLAGS];
    await planned('put-back', ...args);
    const place = join(directory, 'put-back', 'table', 'counts.npy');
    const bytes = readFileSync(place);
    rmSync(place);
    await planned('put-back', ...args);
    expect(readFileSync(place).equals(bytes)).toBe(true);
    rmSync(place);
    const resumed = await synthrisk(directory, ['evaluate', ...args, '--out', 'put-back', '--resume']);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(readFileSync(place).equals(bytes)).toBe(true);
  });

  it('but the release key is not, which nobody can make again: no other takes its place', async () => {
    const args = ['table.csv', ...SMALL_FLAGS];
    await planned('without-key', ...args);
    const place = join(directory, 'without-key', 'confidential', 'release-key');
    const key = readFileSync(place);
    rmSync(place);
    for (const command of [
      ['batch', 'plan'],
      ['evaluate', '--resume'],
    ]) {
      const refused = await synthrisk(directory, [...command, ...args, '--out', 'without-key'], { keys: 'its-own' });
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('release-key is gone') });
      expect(existsSync(place)).toBe(false);
    }
    writeFileSync(place, key);
    const resumed = await synthrisk(directory, ['evaluate', ...args, '--out', 'without-key', '--resume']);
    expect(resumed.code, resumed.stderr).toBe(0);
  });
});

describe('a dataset to release that has decayed', () => {
  it('is not put together without; once it is removed, its task is listed again and makes the same bytes', async () => {
    await planned('decayed', 'table.csv', ...SMALL_FLAGS);
    for (let left = await listed('decayed'); left.status === 'tasks'; left = await listed('decayed')) {
      expect((await batch('run', 'decayed', left.tasks.join(','))).code).toBe(0);
    }
    const place = join(directory, 'decayed', 'release', 'synthetic-1.csv');
    const bytes = readFileSync(place);
    writeFileSync(place, bytes.subarray(1));
    const refused = await batch('close', 'decayed');
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('release/synthetic-1.csv is not as it was written') });
    rmSync(place);
    const { status, tasks } = await listed('decayed');
    expect([status, tasks.length]).toEqual(['tasks', 1]);
    expect((await batch('run', 'decayed', `${tasks[0]}`)).code).toBe(0);
    expect(readFileSync(place).equals(bytes)).toBe(true);
    expect((await batch('close', 'decayed')).code).toBe(0);
  });
});

describe('an evaluation over a bucket', () => {
  let fake: FakeS3;

  beforeAll(async () => {
    fake = await FakeS3.start();
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
    return () => {
      vi.unstubAllEnvs();
      return fake.stop();
    };
  });

  it('leaves the bytes of a folder', async () => {
    const env = { AWS_ENDPOINT_URL: fake.endpoint, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
    const inBucket = (...args: string[]) => synthrisk(directory, ['batch', ...args], { env });
    const store = new S3Store({ bucket: 'runs', endpoint: fake.endpoint, region: 'us-east-1' });
    await store.put(PLACE_KEY, encodeKey(testKey(1)));
    expect((await synthrisk(directory, ['evaluate', 'table.csv', ...SMALL_FLAGS, '--out', 'folder'])).code).toBe(0);
    const args = ['plan', 'table.csv', ...SMALL_FLAGS, '--out', 's3://runs'];
    const plan = await inBucket(...args, '--json');
    expect(plan.code, plan.stderr).toBe(0);
    const { directory: place, runId } = JSON.parse(plan.stdout);
    expect(place).toBe(`s3://runs/${runId}`);
    // A run that is planned stays as it is.
    expect(JSON.parse((await inBucket(...args, '--json')).stdout)).toEqual(JSON.parse(plan.stdout));
    for (let tasks = ''; ; ) {
      tasks = (await inBucket('list', place, '--ranges')).stdout.trim();
      if (tasks === '') break;
      const { code, stderr } = await inBucket('run', place, tasks);
      expect(code, stderr).toBe(0);
    }
    const closed = await inBucket('close', place);
    expect(closed.code, closed.stderr).toBe(0);
    expect(closed.stdout).toContain(`${place}/confidential/report.html`);
    expect(closed.stdout).toMatch(/ to put the results together, \d+ MiB of memory at most/);
    const { root } = runKeys(runId);
    const found: Record<string, string> = {};
    for (const key of await store.list(root)) found[key.slice(root.length)] = await sha256(await store.get(key));
    const { 'run.json': _state, ...files } = found;
    const { 'confidential/place-key': _key, ...ofFolder } = filesOf('folder');
    expect(files).toEqual(ofFolder);
  });

  it('says what is missing where nobody says who asks, and where', async () => {
    const none = { AWS_REGION: '', AWS_DEFAULT_REGION: '', AWS_ENDPOINT_URL: '', AWS_ENDPOINT_URL_S3: '', AWS_PROFILE: '' };
    const files = { AWS_CONFIG_FILE: join(directory, 'none'), AWS_SHARED_CREDENTIALS_FILE: join(directory, 'none') };
    const { code, stderr } = await synthrisk(directory, ['batch', 'list', 's3://runs/0123456789abcdef'], { env: { ...none, ...files } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: s3:\/\/runs: no region or no credentials were found\. Set AWS_REGION/m);
  });

  it.each([
    [['plan', 'table.csv', '--out', 's3://runs/0123456789abcdef'], /expected the bucket alone, s3:\/\/runs/],
    [['list', 's3://runs/a/b'], /expected s3:\/\/BUCKET, and of a run s3:\/\/BUCKET\/RUN/],
  ])('refuses an address that is none: batch %j', async (args, message) => {
    const { code, stderr } = await synthrisk(directory, ['batch', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('what cannot be', () => {
  beforeAll(() => planned('refused', 'table.csv', ...SMALL_FLAGS));

  it.each([
    [['run', 'refused', '999'], /^Error: The run has no task 999: it has 1 to \d+ so far\.$/m],
    [['run', 'refused', '0-2'], /^Error: The run has no task 0: it has 1 to \d+ so far\.$/m],
    [['run', 'refused', '1-99999999999'], /^Error: The run has no task 99999999999: it has 1 to \d+ so far\.$/m],
    [['run', 'refused', '9-3'], /^Error: Expected numbers of tasks, such as 17/m],
    [['run', 'refused', 'first'], /^Error: Expected numbers of tasks, such as 17/m],
    [['run', 'nowhere', '1'], /nowhere holds no run/],
    [['close', 'refused'], /^Error: \d+ tasks are not done, and of these 1-\d+ can be carried out now/m],
    [['list', 'nowhere'], /nowhere holds no run/],
  ])('is refused: batch %j', async (args, message) => {
    const { code, stderr, stdout } = await synthrisk(directory, ['batch', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('is refused of a task that needs what others make', async () => {
    const { total } = await listed('refused');
    const { code, stderr } = await batch('run', 'refused', `${total}`);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^Error: Task ${total} needs what earlier tasks make, of which \\d+ are not done`, 'm'));
  });

  it('is refused of a run that another version planned', async () => {
    await planned('older', 'table.csv', ...SMALL_FLAGS);
    const state = join(directory, 'older', 'run.json');
    const { version, ...others } = JSON.parse(readFileSync(state, 'utf8'));
    writeFileSync(state, JSON.stringify({ ...others, version: '0.1.0' }));
    const { code, stderr } = await batch('run', 'older', '1');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`^Error: Version 0\\.1\\.0 planned the run in older, and this is ${version.replaceAll('.', '\\.')}`, 'm'),
    );
    expect(existsSync(join(directory, 'older', 'draws'))).toBe(false);
  });
});
