import { readFileSync } from 'node:fs';
import { CreateBucketCommand, GetObjectTaggingCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it } from 'vitest';
import { BucketObjects } from '../../cli/cloud/bucket-objects.ts';
import { purgeRun } from '../../cli/cloud/purge-run.ts';
import { clientEnvironment, endpoint } from '../../localstack/emulator.ts';
import { encodeJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { uploadOutcomeSchema } from '../../shared/contracts/cloud/workflow.ts';
import { runKeys, uploadFolder } from '../../shared/contracts/keys.ts';
import { manifestSignatureSchema } from '../../shared/contracts/run/manifest-signature.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { uploadEvent } from '../functions/run-workflow.ts';
import { COUNT_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { succeeded } from './compare-runs.ts';
import { BUCKET, ended, executionOf, executionsStarted, runOf, start, stop, store, upload } from './emulated-stack.ts';

const directory = temporaryFolder();
const place = ['--environment', 'local', '--endpoint', endpoint];
const cloud = (...args: string[]) => synthrisk(directory, ['cloud', ...args, ...place], { env: clientEnvironment });

const s3 = new S3Client({ endpoint, forcePathStyle: true });

/** Versions and delete markers below a prefix. */
async function versionsBelow(Prefix: string, Bucket = BUCKET): Promise<number> {
  const { DeleteMarkers = [], Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix }));
  return Versions.length + DeleteMarkers.length;
}

/** Value of the tag by which the bucket lets readers of releases at an object. */
async function approvalOf(Key: string): Promise<string | undefined> {
  const { TagSet = [] } = await s3.send(new GetObjectTaggingCommand({ Bucket: BUCKET, Key }));
  return TagSet.find((tag) => tag.Key === 'approval')?.Value;
}

let runId: string;
let keys: ReturnType<typeof runKeys>;

beforeAll(async () => {
  const acceptance = ['table.records > 1000'];
  await upload('gate', smallTable({ seed: 61 }), { ...COUNT_SETTINGS, acceptance });
  succeeded(await executionOf('gate'));
  runId = await runOf('gate');
  keys = runKeys(runId);
});

describe('the gate of a release', () => {
  const fetchRelease = (out: string) => cloud('fetch', runId, '--release-only', '--out', out);

  it('is shut before, open once approved, and shut once that is withdrawn', async () => {
    const before = await fetchRelease('before');
    expect(before).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody has approved the release of the run') });
    const unmet = await cloud('release', runId, '--approve');
    expect(unmet).toMatchObject({ code: 4, stderr: expect.stringContaining('approves it all the same, and records why.') });
    expect(await approvalOf(keys.release.dataset(1))).toBeUndefined();

    const reason = 'the rule is a trial';
    const approved = await cloud('release', runId, '--approve', '--despite-rules', reason, '--json');
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(approved.stdout)).toMatchObject({
      decision: 'approved',
      verdict: 'not-met',
      reason,
      by: expect.stringMatching(/^arn:aws:/),
    });
    for (const key of [keys.release.dataset(1), keys.manifest, keys.signature]) {
      expect(await approvalOf(key), key).toBe('approved');
    }
    expect(await approvalOf(keys.confidential.manifest)).toBeUndefined();
    expect(await fetchRelease('released')).toMatchObject({ code: 0, stderr: '' });

    const withdrawn = await cloud('release', runId, '--withdraw', '--json');
    expect(JSON.parse(withdrawn.stdout)).toMatchObject({ decision: 'withdrawn', fetched: [{ by: expect.stringMatching(/^arn:aws:/) }] });
    expect(await approvalOf(keys.release.dataset(1))).toBeUndefined();
    const after = await fetchRelease('after');
    expect(after).toMatchObject({ code: 2, stderr: expect.stringContaining('The approval of the release') });
  });
});

describe('the manifests', () => {
  it('are signed by the key of the environment, and refused when they are forged', async () => {
    const signature = await readJson(store, keys.confidential.signature, manifestSignatureSchema);
    expect(signature).toMatchObject({ signed: true, key: expect.stringMatching(/^arn:aws:kms:/) });
    const whole = await cloud('fetch', runId, '--out', 'whole');
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('as the signed manifest') });

    // A result and a manifest that agree, as whoever may write as the step that reports can leave them.
    const manifest = await store.get(keys.confidential.manifest);
    const forged = JSON.parse(Buffer.from(manifest).toString());
    const path = keys.confidential.summary.slice(keys.root.length);
    forged.artifacts[path] = { ...forged.artifacts[path], sha256: '0'.repeat(64) };
    await store.put(keys.confidential.manifest, encodeJson(forged));
    const refused = await cloud('fetch', runId, '--out', 'forged');
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('is not what the key of the environment signed: what it') });
    await store.put(keys.confidential.signature, encodeJson({ signed: false, why: 'forged' }));
    const unsigned = await cloud('fetch', runId, '--out', 'forged');
    expect(unsigned).toMatchObject({ code: 3, stderr: expect.stringContaining('Nobody signed ') });
    await store.put(keys.confidential.signature, encodeJson(signature));
    await store.put(keys.confidential.manifest, manifest);
  });
});

describe('events that were not delivered', () => {
  it('start the workflow once, and none whose table became a run', async () => {
    const sqs = new SQSClient({ endpoint });
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    const QueueUrl = QueueUrls.find((url) => /Undelivered/.test(url));
    const { table } = await readJson(store, `${uploadFolder('gate')}outcome.json`, uploadOutcomeSchema);
    const event = uploadEvent(BUCKET, `${uploadFolder('gate')}table.csv`, table!.version, table!.sequencer);
    const lost = { ...uploadEvent(BUCKET, `${uploadFolder('lost')}table.csv`, 'none'), id: 'lost' };
    for (const one of [event, lost, lost]) await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(one) }));
    const before = await executionsStarted();
    const { code, stderr, stdout } = await cloud('redrive', '--json');
    expect(code, stderr).toBe(0);
    const { events, undelivered } = JSON.parse(stdout);
    expect(undelivered).toBe(3);
    // Of an execution that runs under the name, StartExecution answers as if it had started it.
    expect(events.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(['known', expect.any(String), 'started']);
    expect(await executionsStarted()).toBe(before + 1);
    // Its version is not there, which planning finds.
    expect(await executionOf('lost')).toMatchObject({ name: 'redrive-lost', status: 'FAILED' });
    expect(JSON.parse((await cloud('redrive', '--json')).stdout)).toMatchObject({ undelivered: 0, events: [] });
  });
});

describe('the commands of the runbook about a run', () => {
  const runbook = readFileSync('docs/how-to/runbook.md', 'utf8');
  const ofRuns =
    /`(?:npx --no-install synthrisk )?cloud ((?:canary|status|fetch|cancel|resume|redrive|predictions|release|doctor)(?: [^`|]+)?)`/g;
  const said = [...new Set([...runbook.matchAll(ofRuns)].map(([, command]) => command!.trim().replace(/\s+/g, ' ')))].filter(
    // Of commands that are only named, and those of whoever deploys.
    (command) => / RUN| NAME|^redrive|^canary/.test(command),
  );
  /** Exit codes where the run has finished and its rules are not met. */
  const codes = { canary: 0, status: 0, fetch: 0, redrive: 0, predictions: 0, cancel: 2, resume: 2, release: 4 } as const;

  it('answer for a run that has finished, or say why not', async () => {
    expect([...new Set(said.map((command) => command.split(' ')[0]!))].sort()).toEqual(Object.keys(codes).sort());
    for (const command of said) {
      const [name, ...others] = command.replace('RUN', runId).replace('NAME', 'gate').replace('MORE', '40').split(' ');
      const { code, stderr } = await cloud(name!, ...others);
      expect({ code, stderr: code === codes[name as keyof typeof codes] ? '' : stderr }, command).toEqual({
        code: codes[name as keyof typeof codes],
        stderr: '',
      });
    }
  });
});

describe('a purge', () => {
  it('is refused while the run is under way', async () => {
    const mcmc = { chains: 3, burnIn: 200_000, draws: 4, thin: 2, pairedChains: 2, pairedDraws: 4, pairedThin: 1 };
    await upload('under-way', smallTable({ seed: 62 }), { mcmc, model: { name: 'dpmpm', classes: 6 } });
    await expect.poll(() => runOf('under-way').catch(() => null), { timeout: 60_000 }).not.toBeNull();
    const refused = await cloud('purge', await runOf('under-way'), '--yes');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is under way: stop it first') });
    await stop('under-way');
  });

  it('leaves no version and no delete marker of the run and of its uploads', async () => {
    const counted = await cloud('purge', runId, '--json');
    const { purged, versions } = JSON.parse(counted.stdout);
    expect({ purged, versions }).toEqual({ purged: false, versions: expect.any(Number) });
    expect(await versionsBelow(keys.root)).toBeGreaterThan(20);
    const done = await cloud('purge', runId, '--yes', '--json');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout)).toMatchObject({ purged: true, versions, uploads: ['gate'] });
    expect(await versionsBelow(keys.root)).toBe(0);
    expect(await versionsBelow(uploadFolder('gate'))).toBe(0);
    expect((await cloud('purge', runId, '--yes')).stderr).toContain('holds nothing of a run');
    const resumed = await ended(await start({ runId, resume: true }));
    expect(resumed.status).toBe('FAILED');
  });

  it('tells of results that are locked, and passes a lock in governance mode when it is told to', async () => {
    const id = '00112233445566aa';
    const { confidential, plan, release, root, table } = runKeys(id);
    const bucket = `locked-${Date.now()}`;
    await s3.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }));
    const locking = new S3Store({ bucket, endpoint, lock: { mode: 'GOVERNANCE', days: 3 } });
    for (const key of [confidential.summary, release.dataset(1), table.counts, plan]) {
      await locking.put(key, new Uint8Array(8));
    }
    const objects = new BucketObjects({ bucket, endpoint });
    const request = { runId: id, isRunning: async () => false };
    await expect(purgeRun(objects, locking, { ...request, bypass: false })).rejects.toMatchObject({
      code: 'locked-versions',
      message: expect.stringMatching(/^2 versions .*governance mode/),
    });
    expect(await versionsBelow(root, bucket)).toBe(2);
    await purgeRun(objects, locking, { ...request, bypass: true });
    expect(await versionsBelow(root, bucket)).toBe(0);
  });
});
