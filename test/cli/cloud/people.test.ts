import { afterEach, describe, expect, it } from 'vitest';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { readRunState, writeRunState } from '../../../shared/pipeline/life/run-state.ts';
import { Rights, rightsAsked, TO_HEAR_OF_ABSENCE } from '../../infra/rights.ts';
import { synthesize } from '../../infra/synthesize.ts';
import { fakeAccount } from './cloud-command.ts';

const account = fakeAccount(47);
const { cloud } = account;
const rights = new Rights(synthesize());

/** Lets what follows be done by a person: the bucket refuses what the role may not do, as S3 would. */
function as(role: 'Submitter' | 'Operator' | 'ReleaseReader' | 'ConfidentialReader'): void {
  const may = rights.of(`People${role}Role`);
  account.aws.forbids = (request, isThere) => {
    const asked = rightsAsked(request);
    // Of an object that is not there, who may not hear that hears that it is forbidden.
    if (!isThere && request.method !== 'PUT' && request.prefix === null) asked.push(TO_HEAR_OF_ABSENCE);
    return !asked.every(may);
  };
}

afterEach(() => {
  account.aws.forbids = () => false;
});

const fine = { code: 0, stderr: expect.not.stringContaining('AccessDenied') };

describe('people', () => {
  let runId: string;

  it('who upload do so, and see what becomes of it', async () => {
    as('Submitter');
    const submitted = await cloud('submit', 'table.csv', '--config', 'run.yaml', '--name', 'people');
    expect(submitted).toMatchObject(fine);
    runId = submitted.stdout.trim();
    expect(await cloud('status', 'people', '--wait')).toMatchObject(fine);
    expect((await cloud('submit', 'table.csv', '--name', 'people')).stderr).toContain('(name-taken)');
    expect((await cloud('status', '0123456789abcdef')).stderr).toContain('(no-run)');
    expect((await cloud('status', 'nothing')).stderr).toContain('(no-outcome)');
    expect((await cloud('fetch', runId, '--release-only', '--out', 'submitter')).stderr).toContain(
      'AccessDenied',
    );
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
    expect((await cloud('resume', runId)).stderr).toContain('(finished-run)');
    expect((await cloud('cancel', '0123456789abcdef')).stderr).toContain('(no-run)');
  });

  it('who read the release fetch it, and nothing that discloses', async () => {
    as('ReleaseReader');
    expect(await cloud('status', runId)).toMatchObject(fine);
    expect(await cloud('fetch', runId, '--release-only', '--out', 'released')).toMatchObject(fine);
    expect((await cloud('fetch', runId, '--out', 'all')).stderr).toContain('AccessDenied');
    expect((await cloud('record', runId, '2')).stderr).toContain('AccessDenied');
  });

  it('who read the confidential fetch all of it, and ask for records', async () => {
    as('ConfidentialReader');
    expect(await cloud('fetch', runId, '--out', 'confidential')).toMatchObject(fine);
    expect(await cloud('record', runId, '2', '--out', 'record.csv')).toMatchObject(fine);
    expect(await cloud('status', runId)).toMatchObject(fine);
  });

  it('of none of these roles learn whether a closed object is there', async () => {
    for (const role of ['Submitter', 'Operator', 'ReleaseReader'] as const) {
      as(role);
      const may = (path: string, isThere: boolean) =>
        !account.aws.forbids(
          { method: 'HEAD', key: runKeys(runId).root + path, prefix: null, headers: {} },
          isThere,
        );
      for (const isThere of [true, false]) expect(may('table/counts.npy', isThere), role).toBe(false);
    }
  });

  it('find no name free at which someone has left a key or a budget', async () => {
    const planted = { 'release-key': 'x', 'budget.json': '{}' };
    for (const [file, text] of Object.entries(planted)) {
      await account.aws.store.put(`incoming/planted-${file}/${file}`, new TextEncoder().encode(text));
      as('Submitter');
      const { code, stderr } = await cloud('submit', 'table.csv', '--name', `planted-${file}`);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('(name-taken)') });
    }
  });
});
