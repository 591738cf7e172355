import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { PLACE_KEY, runKeys } from '../../../shared/contracts/keys.ts';
import { encodeKey } from '../../../shared/contracts/secret-key.ts';
import { sha256 } from '../../../shared/contracts/sha256.ts';
import { readRunState, writeRunState } from '../../../shared/pipeline/life/run-state.ts';
import { resultHashes } from '../../functions/result-hashes.ts';
import { runInMemory, WITHOUT_UTILITY } from '../../pipeline/small-run.ts';
import { errorOf, fileHashes, filesBelow, synthrisk, temporaryFolder } from '../../run-command.ts';
import { TEST_KEYS, testKey } from '../../test-keys.ts';
import { fakeAccount } from './cloud-command.ts';

const COMMANDS = [
  ...[
    'deploy',
    'doctor',
    'submit',
    'status',
    'canary',
    'fetch',
    'cancel',
    'resume',
    'record',
    'redrive',
    'predictions',
    'release',
    'purge',
  ],
];
const NO_RUN = '0123456789abcdef';

const account = fakeAccount(31);
const { cloud, directory } = account;
let laptop: Awaited<ReturnType<typeof runInMemory>>;
let runId: string;

/** The one execution that holds the run. */
function execution() {
  return [...account.aws.executions.values()].at(-1)!;
}

beforeAll(async () => {
  const config = configSchema.parse(WITHOUT_UTILITY);
  laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table: account.table });
  runId = laptop.plan.runId;
  await account.aws.store.put(PLACE_KEY, encodeKey(TEST_KEYS.placeKey));
  writeFileSync(join(directory, 'release-key'), encodeKey(await TEST_KEYS.releaseKey('')));
});

describe('cloud', () => {
  it.each(COMMANDS)('%s --help shows examples of it', async (command) => {
    const { code, stdout } = await synthrisk(directory, ['cloud', command, '--help']);
    expect(code).toBe(0);
    expect(stdout.split(/^Examples:$/m)[1]).toContain(`  synthrisk cloud ${command}`);
  });

  it('says that there is no region, and that there are no credentials', async () => {
    const nowhere = { AWS_REGION: '', AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
    const nobody = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' };
    const ask = (env: Record<string, string>) => synthrisk(directory, ['cloud', 'status', NO_RUN], { env: { ...nowhere, ...env } });
    const unplaced = await ask({});
    expect(unplaced).toMatchObject({ code: 2, stdout: '' });
    expect(unplaced.stderr).toContain('Name the region: --region, AWS_REGION or a profile of');
    const anonymous = await ask({ ...nobody, AWS_REGION: 'us-east-1' });
    expect(anonymous).toMatchObject({ code: 2, stdout: '' });
    expect(anonymous.stderr).toContain('There are no credentials for AWS. Sign in (aws sso');
  });

  it('says that there is no environment of that name', async () => {
    const { endpoint } = account.aws;
    const args = ['cloud', 'status', NO_RUN, '--environment', 'other', '--endpoint', endpoint];
    const { code, stderr } = await synthrisk(directory, args);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no environment other in us-east-1');
  });

  it('names a service that does not answer', async () => {
    const args = ['cloud', 'status', NO_RUN, '--endpoint', 'http://127.0.0.1:1'];
    const { code, stderr } = await synthrisk(directory, args);
    expect(code).toBe(3);
    expect(stderr).toContain('Lambda GetFunction synthrisk-dev-assess-batch');
  });

  it('names a run that is none', async () => {
    for (const command of ['status', 'fetch', 'cancel', 'resume']) {
      const { code, stderr } = await cloud(command, NO_RUN);
      expect(code, command).toBe(2);
      expect(stderr, command).toContain(`The bucket of the environment holds no run`);
    }
  });
});

describe('a run', () => {
  it('is submitted with its config, and is the run of a laptop', async () => {
    const { code, stdout, stderr } = await cloud(
      'submit',
      'table.csv',
      '--config',
      'run.yaml',
      '--release-key',
      'release-key',
      '--name',
      'first',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${runId}\n` });
    expect(stderr).toContain('incoming/first/table.csv');
  });

  it('ends, and says so when it is waited for', async () => {
    const { code, stdout, stderr } = await cloud('status', runId, '--wait', '--json');
    expect(code, stderr).toBe(0);
    const status = JSON.parse(stdout);
    const batches = Math.ceil(laptop.plan.table.combinations / 7);
    expect(status).toMatchObject({
      runId,
      status: 'finished',
      phase: null,
      round: 1,
      chains: { done: 11, total: 11 },
      batches: { done: batches, total: batches },
    });
    expect(status.dollarsAtMost).toBeGreaterThan(0);
    expect(status.dollarsAtMost).toBeLessThan(1);
  });

  it('is found by the name of its upload', async () => {
    const { code, stdout } = await cloud('status', 'first');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Run ${runId}: finished, \\$0\\.\\d+ used\n$`));
  });

  it('is fetched: the bytes of a laptop, and a manifest that they fit', async () => {
    const { code, stderr, stdout } = await cloud('fetch', runId, '--out', 'fetched');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\$0\.\d+ at list prices of [\d-]+, without storage: [\d,]+ GiB-seconds in \d+ calls, /m);
    const folder = join(directory, 'fetched');
    const { artifacts } = JSON.parse(readFileSync(join(folder, 'confidential/manifest.json'), 'utf8'));
    const files = filesBelow(folder).filter((path) => !/^(run\.json$|(confidential\/)?manifest\.(signature\.)?json$)/.test(path));
    const hashes = fileHashes(folder, '');
    for (const path of files) expect(hashes[path], path).toBe(artifacts[path].sha256);
    expect(files).toContain('confidential/plan.json');
    const expected = Object.entries(await resultHashes(laptop.store, laptop.plan));
    for (const [path, hash] of expected.filter(([one]) => !one.startsWith('rounds/'))) {
      expect(hashes[path], path).toBe(hash);
    }
    // What opens the streams stays in the bucket.
    expect(files).not.toContain('confidential/release-key');
  });

  it('is fetched without what discloses, once it is approved', async () => {
    const early = await cloud('fetch', runId, '--release-only', '--out', 'release');
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody has approved the release of the run') });
    expect(filesBelow(directory)).not.toContain('release/manifest.json');
    expect((await cloud('release', runId, '--approve')).code).toBe(0);
    expect((await cloud('fetch', runId, '--release-only', '--out', 'release')).code).toBe(0);
    const fetched = filesBelow(join(directory, 'release'));
    expect(fetched).toEqual([
      'manifest.json',
      'manifest.signature.json',
      'plan.json',
      'release/APPROVED.json',
      'release/synthetic-1.csv',
      'release/synthetic-2.csv',
      'run.json',
    ]);
  });

  it('is not fetched when a file is another than the manifest says', async () => {
    const key = runKeys(runId).release.dataset(2);
    const bytes = await account.aws.store.get(key);
    await account.aws.store.put(key, new TextEncoder().encode('other'));
    const { code, stderr } = await cloud('fetch', runId, '--out', 'changed');
    await account.aws.store.put(key, bytes);
    expect(code).toBe(3);
    expect(stderr).toContain(`${key}`);
    const fetched = filesBelow(join(directory, 'changed'));
    expect(fetched).not.toContain('run.json');
    expect(fetched).not.toContain('release/synthetic-2.csv');
  });

  it('is not fetched with an open plan that is cut off, which no manifest lists', async () => {
    const { openPlan } = runKeys(runId);
    const bytes = await account.aws.store.get(openPlan);
    await account.aws.store.put(openPlan, bytes.subarray(0, 100));
    const { code, stderr } = await cloud('fetch', runId, '--out', 'plan-cut-off');
    await account.aws.store.put(openPlan, bytes);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/plan\.json is damaged: .* Put it back from a copy/) });
    expect(filesBelow(join(directory, 'plan-cut-off'))).not.toContain('run.json');
  });

  it('is not fetched by a manifest that the key of the environment did not sign', async () => {
    const { confidential, manifest, signature } = runKeys(runId);
    const { store } = account.aws;
    for (const [key, code, change] of [
      [confidential.manifest, 'manifest-forged', (text: string) => text.replace(/"bytes": \d+/, '"bytes": 1')],
      [manifest, 'manifest-forged', (text: string) => `${text} `],
      [signature, 'manifest-unsigned', () => '{"signed":false,"why":"none"}'],
    ] as const) {
      const bytes = await store.get(key);
      await store.put(key, new TextEncoder().encode(change(Buffer.from(bytes).toString())));
      const refused = await cloud('fetch', runId, '--out', 'forged', '--json');
      expect({ ...refused, error: errorOf(refused) }).toMatchObject({ code: 3, error: { code } });
      if (code === 'manifest-unsigned') {
        const taken = await cloud('fetch', runId, '--out', 'unsigned', '--allow-unsigned');
        expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('as the unsigned manifest') });
      }
      await store.put(key, bytes);
    }
    expect(account.aws.signed).toContain(await sha256(await store.get(confidential.manifest)));
    // What was put anew has no approval any longer: the gate is shut until it is approved again.
    expect((await cloud('release', runId, '--withdraw')).code).toBe(0);
    expect((await cloud('release', runId, '--approve')).code).toBe(0);
  });

  it('is not fetched over another', async () => {
    const other = join(temporaryFolder(), 'other');
    const { stderr: _ } = await cloud('fetch', runId, '--release-only', '--out', other);
    const manifest = join(other, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(runId, NO_RUN));
    const { code, stderr } = await cloud('fetch', runId, '--out', other);
    expect(code).toBe(2);
    expect(stderr).toContain('Choose another --out folder.');
  });

  it('gives the candidates of one combination, the truth with the figures of the risk table', async () => {
    const { code, stdout, stderr } = await cloud('record', runId, '5');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const candidates = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(candidates).toHaveLength(laptop.plan.candidatesPerCombination);
    const table = readFileSync(join(directory, 'fetched/confidential/attribute-risk.csv'));
    const row = (parse(table, { columns: true }) as Record<string, string>[])[4]!;
    const [truth] = candidates.filter(({ is_truth }) => is_truth === 'true');
    const { is_truth: _, ...figures } = truth!;
    expect(row).toMatchObject(figures);
    expect(candidates[0]!.probability).toBe(row.first_guess_probability);
  });

  it('keeps the candidates of a combination with the confidential, and out of the manifest', async () => {
    const { stdout } = await cloud('record', runId, '6', '--json', '--out', 'record.csv');
    const { key } = JSON.parse(stdout);
    expect(key).toBe(`${runKeys(runId).confidential.root}records/6.csv`);
    const file = readFileSync(join(directory, 'record.csv'));
    expect(new Uint8Array(file)).toEqual(await account.aws.store.get(key));
    const listed = runKeys(runId).confidential.manifest;
    const manifest = new TextDecoder().decode(await account.aws.store.get(listed));
    expect(manifest).toContain('attribute-risk.csv');
    expect(manifest).not.toContain('records/');
  });

  it('has no combination beyond its last', async () => {
    const { code, stderr, stdout } = await cloud('record', runId, '100000');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('there is no');
  });

  it('is neither stopped nor gone on with when it has finished', async () => {
    const cancelled = await cloud('cancel', runId);
    expect(cancelled).toMatchObject({ code: 2, stdout: '' });
    expect(cancelled.stderr).toContain('is not under way: there is nothing to stop.');
    const resumed = await cloud('resume', runId);
    expect(resumed).toMatchObject({ code: 2, stdout: '' });
    expect(resumed.stderr).toContain('has finished: fetch its results.');
  });
});

describe('a run under way', () => {
  // The state that functions leave while batches are assessed.
  const assessing = async () => {
    const state = (await readRunState(account.aws.store, runId))!;
    const assessingSince = new Date(Date.now() - 60_000).toISOString();
    await writeRunState(account.aws.store, { ...state, status: 'running', assessingSince });
    Object.assign(execution(), { status: 'RUNNING', started: Date.now() / 1000 - 60 });
    execution().map = { total: 4, succeeded: 1 };
  };

  it('tells batches, time left and a bound on what it has cost', async () => {
    await assessing();
    const { stdout } = await cloud('status', runId, '--json');
    const total = Math.ceil(laptop.plan.table.combinations / 7);
    const status = JSON.parse(stdout);
    // Of the batches four were missing when the execution began, and one of those is done.
    expect(status).toMatchObject({ status: 'running', phase: 'batches', batches: { done: total - 3, total } });
    // One in a minute, three to go.
    expect(status.secondsLeft).toBeGreaterThan(175);
    expect(status.secondsLeft).toBeLessThan(300);
  });

  it('is not gone on with', async () => {
    const { code, stderr } = await cloud('resume', runId);
    expect(code).toBe(2);
    expect(stderr).toContain(`is under way: \`synthrisk cloud status ${runId} --wait\``);
  });

  it('is stopped, recorded as that, and waited for no longer', async () => {
    expect(await cloud('cancel', runId)).toMatchObject({ code: 0, stdout: `Run ${runId}: stopped\n` });
    expect(execution().status).toBe('ABORTED');
    expect((await readRunState(account.aws.store, runId))!.status).toBe('interrupted');
    const waited = await cloud('status', runId, '--wait');
    expect(waited.code).toBe(130);
    expect(waited.stderr).toContain(`synthrisk cloud resume ${runId}`);
  });

  it('counts as interrupted when its execution ended without a word', async () => {
    await assessing();
    execution().status = 'ABORTED';
    expect(JSON.parse((await cloud('status', runId, '--json')).stdout).status).toBe('interrupted');
  });

  it('is gone on with to its end', async () => {
    const { code, stdout } = await cloud('resume', runId, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).execution).toContain(':execution:');
    expect((await cloud('status', runId, '--wait')).code).toBe(0);
  });

  it('that failed ends waiting with what a person can act on', async () => {
    const { store } = account.aws;
    const state = (await readRunState(store, runId))!;
    const error = { name: 'NumericalError', code: 'assessment-failed', message: 'Batch 2 has no finite estimate.' };
    await writeRunState(store, { ...state, status: 'failed', error });
    const { code, stderr } = await cloud('status', runId, '--wait');
    await writeRunState(store, state);
    expect(code).toBe(3);
    expect(stderr).toContain('Batch 2 has no finite estimate.');
  });
});

describe('a run with a budget', () => {
  it('that does not suffice has failed, and goes on with a larger one', async () => {
    writeFileSync(join(directory, 'other.yaml'), stringify({ ...WITHOUT_UTILITY, seed: 9 }));
    const budget = ['--budget', '0.000001', '--name', 'budget'];
    const submitted = await cloud('submit', 'table.csv', '--config', 'other.yaml', ...budget);
    expect(submitted.code, submitted.stderr).toBe(0);
    const other = submitted.stdout.trim();
    const stopped = await cloud('status', other, '--wait');
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toContain('The run has cost $0.');
    expect(stopped.stderr).toContain(`synthrisk cloud resume ${other} --budget 1`);
    expect(stopped.stdout).toMatch(/: failed, .* of \$0\.0000010 used$/m);
    expect((await cloud('resume', other, '--budget', '2', '--json')).code).toBe(0);
    const finished = await cloud('status', other, '--wait', '--json');
    expect(finished.code, finished.stderr).toBe(0);
    const { budgetDollars, dollarsAtMost, used } = JSON.parse(finished.stdout);
    expect(budgetDollars).toBe(2);
    expect(dollarsAtMost).toBe(used.dollars);
  });

  it('that is no amount is refused', async () => {
    for (const budget of ['0', '-1', 'twenty', '']) {
      const { code, stderr } = await cloud('submit', 'table.csv', '--budget', budget);
      expect(code, budget).toBe(2);
      expect(stderr).toContain('expected dollars, more than 0');
    }
  });
});

describe('an upload', () => {
  const died = { name: 'Runtime.OutOfMemory', code: 'planning-ended', message: 'Planning ended with Runtime.OutOfMemory.' };

  it('of whose tables planning died, or one was put too deep, is found with what became of each', async () => {
    const { store } = account.aws;
    const of = (version: string) => ({ table: { version, sequencer: version } });
    const outcome = { error: died, ...of('0B'), earlier: [{ runId, ...of('0A') }] };
    await store.put('incoming/heavy/outcome.json', Buffer.from(JSON.stringify(outcome)));
    const { code, stderr, stdout } = await cloud('status', 'heavy', '--json');
    expect({ code, stdout: JSON.parse(stdout) }).toEqual({ code: 0, stdout: { upload: 'heavy', status: 'failed', error: died } });
    expect(stderr).toContain('Planning ended with Runtime.OutOfMemory');
    expect(stderr).toContain(`An earlier table of this name: the run ${runId}`);
    await store.put('incoming/a/b/outcome.json', Buffer.from(JSON.stringify({ error: died })));
    expect(await cloud('status', 'a/b')).toMatchObject({ code: 0, stdout: 'Upload a/b: refused\n' });
    for (const name of ['.hidden', 'w/']) {
      // At once: nothing ever becomes of a table there.
      const never = await cloud('status', name, '--wait');
      expect(never).toMatchObject({ code: 2, stderr: expect.stringContaining(`No upload can have the name "${name}".`) });
    }
    expect(await cloud('status', '', '--wait')).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a name') });
  });

  it('of which nothing has become yet is waited for, which is said', async () => {
    const waiting = cloud('status', 'late', '--wait');
    await setTimeout(1_000);
    await account.aws.store.put('incoming/late/outcome.json', Buffer.from(JSON.stringify({ error: died })));
    expect((await waiting).stderr).toContain('Nothing has become of an upload of the name late yet: waiting for its run\n');
  });

  it('that is refused names the error, here and later', async () => {
    writeFileSync(join(directory, 'bad.csv'), 'A,B\n1,2\n3\n');
    const { code, stdout, stderr } = await cloud('submit', 'bad.csv', '--name', 'bad', '--no-look-ahead');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('fields, as in the header, found');
    const later = await cloud('status', 'bad', '--wait');
    expect(later.code).toBe(3);
    expect(later.stderr).toContain('fields, as in the header, found');
  });

  it('with a config that is wrong is not made', async () => {
    writeFileSync(join(directory, 'wrong.yaml'), 'sead: 1\n');
    const { code, stderr } = await cloud('submit', 'table.csv', '--config', 'wrong.yaml', '--name', 'wrong');
    expect(code).toBe(2);
    expect(stderr).toContain('The config is not valid.');
    expect(await account.aws.store.list('incoming/wrong/')).toEqual([]);
    writeFileSync(join(directory, 'zeros.yaml'), 'synthesis: { structuralZeros: zeros.csv }\n');
    const zeros = await cloud('submit', 'table.csv', '--config', 'zeros.yaml', '--name', 'zeros');
    expect(zeros.code).toBe(2);
    expect(zeros.stderr).toContain('There is no file ');
    expect(await account.aws.store.list('incoming/zeros/')).toEqual([]);
  });

  it('is not made where the environment is not expected to end its run, unless it alone is to say so', async () => {
    const mcmc = { ...WITHOUT_UTILITY.mcmc, burnIn: 100_000_000_000 };
    writeFileSync(join(directory, 'long.yaml'), stringify({ ...WITHOUT_UTILITY, mcmc }));
    const args = ['submit', 'table.csv', '--config', 'long.yaml', '--name', 'long'];
    const refused = { code: 2, error: 'fit-too-long' };
    const here = await cloud(...args, '--json');
    expect({ code: here.code, error: errorOf(here).code }).toEqual(refused);
    expect(here.stderr).toContain('The chains are expected to take longer');
    expect(await account.aws.store.list('incoming/long/')).toEqual([]);
    const there = await cloud(...args, '--no-look-ahead', '--json');
    expect({ code: there.code, error: errorOf(there).code }).toEqual(refused);
    expect(there.stderr).toContain('The chains are expected to take longer');
    expect(await account.aws.store.list('incoming/long/')).toContain('incoming/long/outcome.json');
  });

  it('takes the files along that its config names, under names that tell nothing of them', async () => {
    const [header] = readFileSync(join(directory, 'table.csv'), 'utf8').split('\n') as [string];
    const variable = header.split(',')[0]!;
    mkdirSync(join(directory, 'beliefs'));
    writeFileSync(join(directory, 'beliefs', 'of-the-agency.csv'), `${variable},weight\nnowhere,-1\n`);
    writeFileSync(
      join(directory, 'prior.yaml'),
      `attributeRisk: { candidates: { unknown: [${variable}] }, prior: { file: beliefs/of-the-agency.csv }, control: beliefs/strangers.csv }\n`,
    );
    writeFileSync(join(directory, 'beliefs', 'strangers.csv'), `${header}\n`);
    const args = ['submit', 'table.csv', '--config', 'prior.yaml', '--name', 'prior', '--no-look-ahead'];
    const { code, stderr } = await cloud(...args);
    // It is planning that reads it, and refuses what is in it.
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: file 1 of the prior: .*(categories|expected at least 0)/m);
    const keys = await account.aws.store.list('incoming/prior/');
    expect(keys).toEqual([
      'incoming/prior/control.csv',
      'incoming/prior/outcome.json',
      'incoming/prior/prior-1.csv',
      'incoming/prior/run.yaml',
      'incoming/prior/table.csv',
    ]);
  });

  it('of a table that was evaluated finds its run again without its key, and is refused under another', async () => {
    const again = ['table.csv', '--config', 'run.yaml'];
    expect(await cloud('submit', ...again)).toMatchObject({ code: 0, stdout: `${runId}\n` });
    writeFileSync(join(directory, 'other-key'), encodeKey(testKey(3)));
    const other = await cloud('submit', ...again, '--release-key', 'other-key');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('under another release key');
  });

  it('takes no name that is taken, and none that is no key', async () => {
    const taken = await cloud('submit', 'table.csv', '--name', 'first');
    expect(taken.code).toBe(2);
    expect(taken.stderr).toContain('incoming/first/');
    const malformed = await cloud('submit', 'table.csv', '--name', 'a/b');
    expect(malformed.code).toBe(2);
    expect(malformed.stderr).toContain('Expected a name of letters, digits, dots, hyphens and');
  });
});
