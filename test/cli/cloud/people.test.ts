import { afterEach, describe, expect, it } from 'vitest';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { readRunState, writeRunState } from '../../../shared/pipeline/life/run-state.ts';
import { errorOf } from '../../run-command.ts';
import { actAs, actFreely, type PEOPLE } from './act-as.ts';
import { fakeAccount } from './cloud-command.ts';
import { BUCKET } from './fake-aws.ts';

const account = fakeAccount(47);
const { cloud } = account;

/** The code of the error with which a command is refused. */
async function refusalOf(command: string, ...args: string[]): Promise<string> {
  const outcome = await cloud(command, ...args, '--json');
  expect(outcome.code, outcome.stderr).toBe(2);
  return errorOf(outcome).code;
}

const as = (role: (typeof PEOPLE)[number]) => actAs(account, role);

afterEach(() => {
  actFreely(account);
});

const fine = { code: 0, stderr: expect.not.stringContaining('access is denied') };

describe('people', () => {
  let runId: string;

  it('who upload do so, and see what becomes of it', async () => {
    as('Submitter');
    const submitted = await cloud('submit', 'table.csv', '--config', 'run.yaml', '--name', 'people');
    expect(submitted).toMatchObject(fine);
    runId = submitted.stdout.trim();
    expect(await cloud('status', 'people', '--wait')).toMatchObject(fine);
    expect(await refusalOf('submit', 'table.csv', '--name', 'people')).toBe('name-taken');
    expect(await refusalOf('status', '0123456789abcdef')).toBe('no-run');
    expect(await refusalOf('status', 'nothing')).toBe('no-outcome');
    // Who does not fetch has no right to ask for the key that verifies.
    expect((await cloud('fetch', runId, '--release-only', '--out', 'submitter')).stderr).toContain('access is denied');
    expect((await cloud('fetch', runId, '--out', 'submitter')).stderr).toContain('access is denied');
  });

  it('who operate stop runs, and go on with them', async () => {
    const { store } = account.aws;
    const [execution] = [...account.aws.executions.values()].slice(-1);
    execution!.status = 'RUNNING';
    await writeRunState(store, { ...(await readRunState(store, runId))!, status: 'running' });
    as('Operator');
    expect(await cloud('cancel', runId)).toMatchObject(fine);
    expect(await cloud('resume', runId, '--budget', '20')).toMatchObject(fine);
    expect(await cloud('status', runId, '--wait')).toMatchObject(fine);
    expect(await refusalOf('resume', runId)).toBe('finished-run');
    expect(await refusalOf('cancel', '0123456789abcdef')).toBe('no-run');
  });

  /** What the bucket lets the reader of the release read of its files, by the ways of other programs. */
  const bytesRead = () => {
    const { manifest, release, signature } = runKeys(runId);
    const { bucketEndpoint, endpoint } = account.aws;
    expect(endpoint).not.toBe(bucketEndpoint);
    return Promise.all([release.dataset(1), manifest, signature].map(async (key) => (await fetch(`${endpoint}/${BUCKET}/${key}`)).status));
  };

  it('who read the release are refused it before somebody has approved it', async () => {
    as('ReleaseReader');
    expect(await refusalOf('fetch', runId, '--release-only', '--out', 'early')).toBe('not-approved');
    expect(await bytesRead()).toEqual([403, 403, 403]);
    for (const role of ['Submitter', 'Operator', 'ReleaseReader', 'Purger'] as const) {
      as(role);
      expect((await cloud('release', runId, '--approve')).stderr, role).toContain('access is denied');
    }
  });

  it('who approve do so, and read nothing of the table', async () => {
    as('Approver');
    expect(await cloud('release', runId)).toMatchObject({ ...fine, stdout: expect.stringContaining('nobody') });
    expect(await cloud('release', runId, '--approve')).toMatchObject(fine);
    expect(await refusalOf('release', runId, '--approve')).toBe('already-approved');
    expect(await cloud('release', runId)).toMatchObject({ ...fine, stdout: expect.stringContaining(account.aws.caller) });
    expect((await cloud('fetch', runId, '--out', 'approver')).stderr).toContain('access is denied');
    expect((await cloud('purge', runId)).stderr).toContain('access is denied');
  });

  it('who read the release fetch it, and nothing that discloses', async () => {
    as('ReleaseReader');
    expect(await cloud('status', runId)).toMatchObject(fine);
    expect(await cloud('fetch', runId, '--release-only', '--out', 'released')).toMatchObject(fine);
    expect(await bytesRead()).toEqual([200, 200, 200]);
    expect(await cloud('release', runId)).toMatchObject(fine);
    expect((await cloud('release', runId, '--withdraw')).stderr).toContain('access is denied');
    expect((await cloud('fetch', runId, '--out', 'all')).stderr).toContain('access is denied');
    expect((await cloud('record', runId, '2')).stderr).toContain('access is denied');
  });

  it('who read the confidential fetch all of it, and ask for records', async () => {
    as('ConfidentialReader');
    expect(await cloud('fetch', runId, '--out', 'confidential')).toMatchObject(fine);
    expect(await cloud('record', runId, '2', '--out', 'record.csv')).toMatchObject(fine);
    expect(await cloud('status', runId)).toMatchObject(fine);
  });

  it('who read the confidential see what the run took beside what was predicted, and no other role does', async () => {
    for (const role of ['Submitter', 'Operator', 'ReleaseReader', 'Approver', 'Purger'] as const) {
      as(role);
      expect((await cloud('predictions', runId)).stderr, role).toContain('access is denied');
    }
    as('ConfidentialReader');
    const { steps, timeFactors } = JSON.parse((await cloud('predictions', runId, runId, '--json')).stdout);
    for (const step of ['fit', 'assess', 'aggregate', 'report']) {
      const { cpuSeconds, predictedCpuSeconds, peakMemoryMiB, predictedMemoryMiB } = steps[step];
      expect(predictedCpuSeconds, step).toBeGreaterThan(0);
      expect(cpuSeconds).toBeGreaterThan(predictedCpuSeconds);
      expect(peakMemoryMiB).toBeGreaterThan(50);
      expect(predictedMemoryMiB).toBeGreaterThan(80);
    }
    // So small a run says nothing of the speed.
    expect(timeFactors).toBe('');
    const { stdout } = await cloud('predictions', runId);
    expect(stdout).toMatch(
      /^1 run, by step of the workflow:\nplan: .+ \(predicted .+\nfit: .+\nassess: .+\naggregate: .+\nreport: [^;]+\nNo step was/,
    );
  });

  it('who approve withdraw that, and hear who had fetched the release', async () => {
    as('Approver');
    const withdrawn = await cloud('release', runId, '--withdraw');
    expect(withdrawn).toMatchObject({ ...fine, stdout: expect.stringContaining('cannot be called back') });
    as('ReleaseReader');
    expect(await bytesRead()).toEqual([403, 403, 403]);
    expect(await refusalOf('fetch', runId, '--release-only', '--out', 'late')).toBe('approval-withdrawn');
  });

  it('of none of these roles learn whether a closed object is there', async () => {
    for (const role of ['Submitter', 'Operator', 'ReleaseReader'] as const) {
      as(role);
      const may = (path: string, isThere: boolean) =>
        !account.aws.forbids({ method: 'HEAD', key: runKeys(runId).root + path, prefix: null, headers: {} }, isThere);
      for (const isThere of [true, false]) expect(may('table/counts.npy', isThere), role).toBe(false);
    }
  });

  it('find no name free at which someone has left a key or a budget', async () => {
    const planted = { 'release-key': 'x', 'budget.json': '{}' };
    for (const [file, text] of Object.entries(planted)) {
      await account.aws.store.put(`incoming/planted-${file}/${file}`, new TextEncoder().encode(text));
      as('Submitter');
      expect(await refusalOf('submit', 'table.csv', '--name', `planted-${file}`)).toBe('name-taken');
    }
  });

  it('who purge delete the run and its upload, and no other role does', async () => {
    for (const role of ['Submitter', 'Operator', 'ReleaseReader', 'ConfidentialReader', 'Approver'] as const) {
      as(role);
      expect((await cloud('purge', runId, '--yes')).stderr, role).toContain('access is denied');
    }
    as('Purger');
    expect(await cloud('purge', runId)).toMatchObject(fine);
    expect(await account.aws.store.head(runKeys(runId).run)).not.toBeNull();
    expect(await cloud('purge', runId, '--yes')).toMatchObject(fine);
    for (const prefix of [runKeys(runId).root, 'incoming/people/']) {
      expect(await account.aws.store.list(prefix)).toEqual([]);
    }
    expect((await account.aws.store.list('incoming/')).length).toBeGreaterThan(0);
    expect(await refusalOf('purge', runId, '--yes')).toBe('no-run');
  });

  it('who upload try the environment with a table of nobody', async () => {
    as('Submitter');
    const { code, stderr, stdout } = await cloud('canary', '--json');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'finished', seconds: expect.any(Number) });
  });
});
