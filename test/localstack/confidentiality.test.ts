import { readFileSync } from 'node:fs';
import { CloudWatchLogsClient, DescribeLogGroupsCommand, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../localstack/emulator.ts';
import { hexadecimal } from '../../shared/contracts/secret-key.ts';
import { readAhead } from '../../shared/storage/read-ahead.ts';
import { SMALL_SETTINGS } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { succeeded } from './compare-runs.ts';
import { type Execution, executionOf, store, upload } from './emulated-stack.ts';

/** A value that occurs in tables, and in the config of an upload that is refused for it. */
const CANARY = 'CANARY-7Q';

/** Where a value of the table may be: see test/cli/confidentiality.test.ts; and in the upload itself. */
const ALLOWED = /^incoming\/[^/]+\/(table\.csv|run\.yaml)$|^runs\/[^/]+\/(release\/|confidential\/|table\/schema\.json$)/;

const rows = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 'm' : 'f'},${[CANARY, 'clerk', 'none'][((7 * i) % 5) % 3]}`);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const holds = (bytes: Uint8Array, text = CANARY) =>
  Buffer.from(bytes).includes(text) || Buffer.from(bytes).includes(Buffer.from(text, 'utf16le'));

/** What opens the streams of the runs, and what their ids are formed under, as they are stored. */
let secrets: string[];
const KEYS = /^place-key$|^incoming\/[^/]+\/release-key$|^runs\/[^/]+\/confidential\/release-key$/;

let executions: Execution[];

beforeAll(async () => {
  await upload('canary', bytesOf(`SEX,JOB\n${rows.join('\n')}\n`), SMALL_SETTINGS);
  const whole = await executionOf('canary');
  succeeded(whole);
  // Of two columns, but three in the row with the value.
  await upload('canary-ragged', bytesOf(`SEX,JOB\nm,clerk\nf,none,${CANARY}\n`), SMALL_SETTINGS);
  const refused = await executionOf('canary-ragged');
  expect(refused.error).toBe('InvalidTableError');
  // The first record stands where names are expected, and holds the value.
  await upload('canary-headerless', bytesOf(`m,${CANARY}\n${rows.join('\n')}\n`), SMALL_SETTINGS);
  const headerless = await executionOf('canary-headerless');
  expect(headerless.error).toBe('InvalidTableError');
  const settings = { ...SMALL_SETTINGS, acceptance: [`table.records > ${CANARY}`] };
  await upload('canary-rule', bytesOf('SEX,JOB\nm,clerk\nf,none\n'), settings);
  const rule = await executionOf('canary-rule');
  expect(rule.error).toBe('InvalidConfigError');
  executions = [whole, refused, headerless, rule];
  secrets = [hexadecimal(TEST_KEYS.placeKey), hexadecimal(await TEST_KEYS.releaseKey(''))];
});

describe('a key', () => {
  it('is in no object but those that hold keys', async () => {
    const keys = (await store.list('')).filter((key) => !KEYS.test(key));
    const objects = readAhead(keys, async (key) => ({ key, bytes: await store.get(key) }));
    for await (const { key, bytes } of objects) {
      for (const secret of secrets) expect(holds(bytes, secret) || key.includes(secret), key).toBe(false);
    }
  });
});

describe('a value of the table', () => {
  it('is in no object but those that may hold it, and is in those', async () => {
    const keys = await store.list('');
    const holding: string[] = [];
    const objects = readAhead(keys, async (key) => ({ key, bytes: await store.get(key) }));
    for await (const { key, bytes } of objects) if (holds(bytes)) holding.push(key);
    expect(holding.filter((key) => !ALLOWED.test(key))).toEqual([]);
    expect(holding.some((key) => key.endsWith('/confidential/attribute-risk.csv'))).toBe(true);
    expect(holding.some((key) => key.endsWith('/confidential/variable-risk.csv'))).toBe(true);
    expect(keys.filter((key) => key.includes(CANARY))).toEqual([]);
  });

  it('is in no state, input or output of the workflow, and no key is', async () => {
    const states = new SFNClient({});
    for (const { executionArn, ...execution } of executions) {
      const { events } = await states.send(new GetExecutionHistoryCommand({ executionArn: executionArn!, includeExecutionData: true }));
      expect(events!.length).toBeGreaterThan(3);
      for (const secret of ['CANARY', ...secrets]) {
        expect(JSON.stringify([execution, events])).not.toContain(secret);
      }
    }
  });

  it('is in no log, and no key is', async () => {
    const logs = new CloudWatchLogsClient({});
    const { logGroups } = await logs.send(new DescribeLogGroupsCommand({}));
    let events = 0;
    for (const { logGroupName } of logGroups!) {
      const found = await logs.send(new FilterLogEventsCommand({ logGroupName: logGroupName! }));
      events += found.events!.length;
      for (const secret of ['CANARY', ...secrets]) expect(JSON.stringify(found.events)).not.toContain(secret);
    }
    expect(events).toBeGreaterThan(0);
    for (const secret of ['CANARY', ...secrets]) expect(readFileSync(paths.log, 'utf8')).not.toContain(secret);
  });
});
