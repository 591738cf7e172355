import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outcomeKey } from '../../../shared/contracts/keys.ts';
import { readRunState, writeRunState } from '../../../shared/pipeline/life/run-state.ts';
import { uploadEvent } from '../../functions/run-workflow.ts';
import { synthrisk } from '../../run-command.ts';
import { actAs, actFreely, PEOPLE } from './act-as.ts';
import { fakeAccount } from './cloud-command.ts';
import { BUCKET, ENVIRONMENT, STATE_MACHINE } from './fake-aws.ts';

const account = fakeAccount(53);
const { cloud } = account;

/** Puts a table whose event is not delivered, and returns that event. */
async function lost(name: string, version: string): Promise<object> {
  const key = `incoming/${name}/table.csv`;
  await account.aws.store.put(`incoming/${name}/run.yaml`, new TextEncoder().encode('utility: {measure: false}\n'));
  return { ...uploadEvent(BUCKET, key, version), id: createHash('sha256').update(version).digest('hex').slice(0, 32) };
}

/** Has these events undelivered. */
function queue(...events: unknown[]): void {
  account.aws.undelivered = events.map((event, place) => ({
    body: typeof event === 'string' ? event : JSON.stringify(event),
    id: `message-${place}`,
    hiddenUntil: 0,
  }));
}

const redrive = async (...flags: string[]) => {
  const { code, stderr, stdout } = await cloud('redrive', '--json', ...flags);
  return { code, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
};

beforeEach(() => actAs(account, 'ConfidentialReader'));
afterEach(() => actFreely(account));

it('says of each event what would become of it, and does nothing', async () => {
  const before = account.aws.executions.size;
  queue(await lost('dry', 'v1'), 'no event', { ...(await lost('dry', 'v2')), detail: { bucket: { name: 'other' }, object: { key: 'x' } } });
  const upload = { kind: 'upload', of: 'incoming/dry/table.csv', why: 'NO_PERMISSIONS', runId: null, outcome: 'started' };
  const left = [
    { kind: 'unknown', of: null, why: 'NO_PERMISSIONS', runId: null, outcome: 'left' },
    { kind: 'upload', of: 'x', why: 'NO_PERMISSIONS', runId: null, outcome: 'left' },
  ];
  expect(await redrive('--dry-run')).toMatchObject({ code: 3, dryRun: true, undelivered: 3, events: [upload, ...left], left: 2 });
  expect(account.aws.executions.size).toBe(before);
  // All were given back, so that the next one finds them at once.
  expect(account.aws.undelivered.map(({ hiddenUntil }) => hiddenUntil <= Date.now())).toEqual([true, true, true]);
  expect((await cloud('redrive', '--dry-run')).stdout).toContain(
    'Table incoming/dry/table.csv (NO_PERMISSIONS): would start the workflow\nUnknown event (NO_PERMISSIONS): nothing here',
  );
});

it('asks for the queue at the address that the environment gives, whatever host its URL names', async () => {
  queue('no event');
  const env = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: account.aws.endpoint };
  const outcome = await synthrisk(account.directory, ['cloud', 'redrive', '--dry-run', '--environment', ENVIRONMENT], { env });
  expect(outcome).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('Unknown event'),
    stderr: expect.not.stringContaining('QueueUrl'),
  });
});

it('starts the workflow of a table once, also where it is killed before the event is deleted', async () => {
  const before = account.aws.executions.size;
  const event = await lost('killed', 'gone');
  queue(event, event);
  account.aws.calls = (right) => right !== 'sqs:DeleteMessage';
  expect(await redrive()).toMatchObject({ code: 3, stderr: expect.stringContaining('DeleteMessage') });
  expect(account.aws.undelivered).toHaveLength(2);
  actAs(account, 'ConfidentialReader');
  const outcomes = (await redrive()).events.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes).toEqual(['known', 'known']);
  expect(account.aws.undelivered).toEqual([]);
  expect([...account.aws.executions.keys()].slice(before)).toEqual([expect.stringMatching(`:redrive-${(event as { id: string }).id}$`)]);
  // The version is gone, which planning finds and notes where who uploaded looks.
  const outcome = await cloud('status', 'killed', '--wait', '--json');
  expect(JSON.parse(outcome.stdout)).toMatchObject({ status: 'failed', error: { name: expect.any(String) } });
});

it('drops the event of a table that became a run, and keeps that of an end which the run does not know until it does or is discarded', async () => {
  actFreely(account);
  const runId = (await cloud('submit', 'table.csv', '--config', 'run.yaml', '--name', 'known')).stdout.trim();
  await cloud('status', runId, '--wait');
  const { store } = account.aws;
  const outcome = JSON.parse(new TextDecoder().decode(await store.get(outcomeKey('incoming/known/table.csv')!)));
  const state = (await readRunState(store, runId))!;
  await writeRunState(store, { ...state, status: 'running' });
  const execution = [...account.aws.executions.keys()].at(-1)!;
  const input = uploadEvent(BUCKET, 'incoming/known/table.csv', outcome.table.version, outcome.table.sequencer);
  const end = (of: object, executionArn: string) => ({
    source: 'aws.states',
    detail: { executionArn, stateMachineArn: STATE_MACHINE, status: 'ABORTED', input: JSON.stringify(of) },
  });
  queue(input, end(input, execution), end(await lost('nothing', 'v'), 'arn:none'));
  actAs(account, 'ConfidentialReader');
  const before = account.aws.executions.size;
  const { code, events } = await redrive();
  expect({ code, outcomes: events.map(({ outcome }: { outcome: string }) => outcome) }).toEqual({
    code: 3,
    outcomes: ['known', 'left', 'left'],
  });
  expect(events.map(({ runId: of }: { runId: string | null }) => of)).toEqual([null, runId, null]);
  expect(account.aws.executions.size).toBe(before);
  expect(account.aws.undelivered).toHaveLength(2);
  await writeRunState(store, { ...state, status: 'finished' });
  expect((await redrive()).events).toMatchObject([{ outcome: 'known' }, { outcome: 'left' }]);
  expect(await redrive('--discard')).toMatchObject({ code: 0, left: 1 });
  expect(account.aws.undelivered).toEqual([]);
});

it('is refused to all others', async () => {
  queue(await lost('others', 'v'));
  for (const role of PEOPLE.filter((one) => one !== 'ConfidentialReader')) {
    actAs(account, role);
    expect((await cloud('redrive')).stderr, role).toMatch(/SQS GetQueueAttributes: access is denied/);
  }
});
