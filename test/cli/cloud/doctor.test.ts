import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkTable } from '../../../cli/cloud/environment-checks.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { smallConfig, smallTable } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { actAs, actFreely, PEOPLE } from './act-as.ts';
import { fakeAccount } from './cloud-command.ts';
import { STATE_MACHINE } from './fake-aws.ts';

const account = fakeAccount(37);
const { cloud, directory } = account;

afterEach(() => actFreely(account));

describe('doctor', () => {
  const OF_THE_OPERATOR = ['workflow', 'Lambda concurrency', 'runs under way'];

  it.each([...PEOPLE, null])('finds nothing missing as %s, and says what another has to ask for', async (role) => {
    actAs(account, role);
    const { code, stdout, stderr } = await cloud('doctor', 'table.csv', '--config', 'run.yaml', '--json');
    expect(code, stderr).toBe(0);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; outcome: string; message: string }[] };
    const others = checks.filter(({ outcome }) => outcome !== 'ok');
    expect(others.map(({ name }) => name)).toEqual(role === null || role === 'Operator' ? [] : OF_THE_OPERATOR);
    for (const { message, outcome } of others) expect([outcome, message]).toEqual(['not-allowed', expect.stringContaining('Operator')]);
    expect(checks.find(({ name }) => name === 'bucket')!.outcome).toBe('ok');
  });

  it('finds the bucket missing where it is refused, which every role may ask', async () => {
    account.aws.forbids = () => true;
    const { code, stdout } = await cloud('doctor');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^MISSING bucket: .*access is denied/m);
  });

  it('finds an environment that is large enough for a table', async () => {
    const { code, stdout, stderr } = await cloud('doctor', 'table.csv', '--config', 'run.yaml', '--json');
    expect(code, stderr).toBe(0);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; outcome: string }[] };
    expect(checks.map(({ name }) => name)).toEqual([
      ...['credentials', 'bucket', 'workflow', 'Lambda concurrency', 'runs under way', 'Fargate vCPU'],
      ...['upload', 'payload', 'memory'],
    ]);
    expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(['ok']));
  });

  it('tells how many runs are under way, and that one more would share what they have', async () => {
    const arn = `${STATE_MACHINE.replace(':stateMachine:', ':execution:')}:another`;
    account.aws.executions.set(arn, { status: 'RUNNING', started: Date.now() / 1000 });
    const { code, stdout } = await cloud('doctor');
    account.aws.executions.delete(arn);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^look up runs under way: 1 under way; with one more up to 1,600 batches at once, and there are functions for 1,000: all of them end/m,
    );
  });

  it('says which quota to ask for', async () => {
    account.aws.concurrency = 10;
    const { code, stdout } = await cloud('doctor');
    account.aws.concurrency = 1000;
    expect(code).toBe(3);
    expect(stdout).toMatch(/^MISSING Lambda concurrency: .*allows 10 .*800 are wanted\. Ask for at least 900/m);
  });

  it('says what a table needs more than the environment has', async () => {
    writeFileSync(join(directory, 'large.yaml'), 'model: {classes: 200}\nmcmc: {draws: 50000}\n');
    const { code, stdout } = await cloud('doctor', 'table.csv', '--config', 'large.yaml');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^MISSING memory: .*--setting assessMemoryMiB=\d+/m);
  });

  it('finds a workflow missing', async () => {
    const { code, stdout } = await cloud('doctor', '--state-machine', `${STATE_MACHINE}-of-none`);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^MISSING workflow: /m);
  });

  it('asks no more of a table where the environment says nothing of its size', async () => {
    const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table: smallTable() });
    const found = { bucket: 'b', stateMachineArn: STATE_MACHINE, size: null, assessMemoryMiB: 2048, uploads: null };
    expect(checkTable(planned, 1000, found).map(({ name }) => name)).toEqual(['upload', 'payload', 'memory']);
  });
});
