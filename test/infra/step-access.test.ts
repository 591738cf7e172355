import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { handler as assessBatch } from '../../functions/assess-batch/handler.ts';
import { INCOMING_KEYS, LISTED_PREFIXES, OPEN_KEYS, STEP_ACCESS } from '../../infra/access/step-access.ts';
import { PLACE_KEY, runKeys, uploadFileKeys, uploadKeys } from '../../shared/contracts/keys.ts';
import type { StepName } from '../../shared/contracts/run/usage.ts';
import { BUCKET, environmentSize, fakeBucket } from '../functions/fake-bucket.ts';
import { FILE_SETTINGS, FILES_BESIDE } from '../functions/file-settings.ts';
import { type AsStep, runWorkflow, uploadEvent } from '../functions/run-workflow.ts';
import { COUNT_SETTINGS, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { everyKey, isOpen, keys } from './every-key.ts';
import { matches, Rights, rightsAsked, TO_HEAR_OF_ABSENCE } from './rights.ts';
import { synthesize } from './synthesize.ts';

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 20 }) });
const rights = new Rights(synthesize({ engine: 'lambda' }));

/** What the template lets the role of a step do. */
const roleOf = (step: StepName) =>
  rights.of(`${step.replace(/(^|-)(.)/g, (_match, _dash, letter: string) => letter.toUpperCase())}FunctionRole`);

/** What steps did without the right to it. The workflow takes what a step throws for its end, hence a list. */
const refused: string[] = [];

/** Does the work of a step, and notes what its role has no right to. */
const asRole: AsStep = async (step, work) => {
  bucket.s3.requests.length = 0;
  try {
    return await work();
  } finally {
    const may = roleOf(step);
    const asked = [...bucket.s3.requests.flatMap(rightsAsked), TO_HEAR_OF_ABSENCE];
    refused.push(...asked.filter((one) => !may(one)).map((one) => `${step} ${JSON.stringify(one)}`));
  }
};

afterEach(() => expect(refused.splice(0)).toEqual([]));

async function upload(name: string, table: Uint8Array, settings: object, files: Record<string, string> = {}): Promise<object> {
  await bucket.store.put(`incoming/${name}/run.yaml`, Buffer.from(stringify(settings)));
  for (const [file, text] of Object.entries(files)) {
    await bucket.store.put(`incoming/${name}/${file}`, Buffer.from(text));
  }
  const key = `incoming/${name}/table.csv`;
  await bucket.store.put(key, table);
  return uploadEvent(BUCKET, key, bucket.s3.versionOf(BUCKET, key));
}

describe('the role of each step', () => {
  const mcmc = { ...SMALL_SETTINGS.mcmc, reproducibility: 0.999, maxChains: 12 };
  it.each([
    ['in several rounds', { ...SMALL_SETTINGS, mcmc }],
    ['by importance', { ...SMALL_SETTINGS, attributeRisk: { estimator: 'importance' } }],
    ['from counts', COUNT_SETTINGS],
    ['from counts, over all cells', { ...COUNT_SETTINGS, attributeRisk: { candidates: 'all-cells' } }],
  ])('lets it at what it needs for a run %s', async (name, settings) => {
    const event = await upload(name.replaceAll(' ', '-'), smallTable({ seed: 18 }), settings);
    const { outcome, runId } = await runWorkflow(bucket.store, name, event, asRole);
    expect(outcome).toBe('planned');
    expect(await bucket.store.head(runKeys(runId!).manifest)).not.toBeNull();
    expect(await runWorkflow(bucket.store, 'again', event, asRole)).toEqual({ outcome: 'finished', runId });
  });

  it('lets it at what it needs for a run with a prior, known records and a control from files', async () => {
    const event = await upload('files', smallTable({ seed: 18 }), FILE_SETTINGS, FILES_BESIDE);
    const { outcome, runId } = await runWorkflow(bucket.store, 'files', event, asRole);
    expect(outcome).toBe('planned');
    expect(await bucket.store.head(runKeys(runId!).manifest)).not.toBeNull();
  });

  it('lets a batch note why it failed, its error be found, and the run be resumed', async () => {
    const event = await upload('failing', smallTable(), SMALL_SETTINGS);
    let batches = 0;
    const failing: AsStep = (step, work) => {
      if (step === 'assess-batch' && ++batches === 2) bucket.s3.fail({ method: 'PUT', status: 403, code: 'AccessDenied' });
      return asRole(step, work);
    };
    const { failure, runId } = await runWorkflow(bucket.store, 'failing', event, failing);
    expect(failure).toMatchObject({ name: 'StorageError', code: 'AccessDenied' });
    const duplicate = await runWorkflow(bucket.store, 'later', event, asRole);
    expect(duplicate).toEqual({ outcome: 'duplicate', runId });
    const resumed = await runWorkflow(bucket.store, 'resumed', { runId, resume: true }, asRole);
    expect(resumed.outcome).toBe('planned');
  });

  it('lets the function that assesses batches make a candidate table, which is not open', async () => {
    const event = await upload('record', smallTable({ seed: 4 }), SMALL_SETTINGS);
    const { runId } = await runWorkflow(bucket.store, 'record', event, asRole);
    const task = { step: 'record', runId, combination: 1 };
    const { key } = (await asRole('assess-batch', () => assessBatch(task))) as { key: string };
    expect(await bucket.store.head(key)).not.toBeNull();
    expect(OPEN_KEYS.filter((pattern) => matches(pattern, key))).toEqual([]);
  });

  it('lets a table be refused', async () => {
    const event = await upload('ragged', Buffer.from('a,b\n1,2\n1\n'), {});
    const { failure } = await runWorkflow(bucket.store, 'ragged', event, asRole);
    expect(failure).toMatchObject({ name: 'InvalidTableError' });
  });
});

describe('OPEN_KEYS', () => {
  it('are those of states, tasks and the release, and no other key of a run', () => {
    const open = new RegExp(`^${keys.root}((run|plan|manifest|manifest\\.signature|lock)\\.json$|tasks/|release/(synthetic-\\d|APPROVED))`);
    const every = everyKey();
    expect(every.length).toBeGreaterThan(50);
    expect(every.filter(isOpen)).toEqual(every.filter((key) => open.test(key)));
    // Of the same name as an open one, and below it.
    expect(isOpen(keys.plan)).toBe(false);
    expect(isOpen(keys.confidential.manifest)).toBe(false);
    expect(isOpen(PLACE_KEY)).toBe(false);
    expect(isOpen(`${keys.root}later/folder.npy`)).toBe(false);
  });

  it('are of an upload its outcome alone', () => {
    const upload = Object.values(uploadKeys('incoming/a/table.csv')!);
    expect(upload.filter(isOpen)).toEqual(['incoming/a/outcome.json']);
  });
});

describe('STEP_ACCESS', () => {
  const stepsThat = (verb: 'read' | 'write', key: string) =>
    Object.entries(STEP_ACCESS)
      .filter(([, access]) => access[verb].some((pattern) => matches(pattern, key)))
      .map(([step]) => step);

  it('lets planning alone at what lies beside a table, and nobody list it', () => {
    const { structuralZeros, control, prior, known } = uploadFileKeys(uploadKeys('incoming/a/table.csv')!);
    for (const key of [structuralZeros, control, prior(1), prior(12), known(3)]) {
      expect(stepsThat('read', key)).toEqual(['plan-run']);
      expect(stepsThat('write', key)).toEqual([]);
      expect(isOpen(key)).toBe(false);
      expect(INCOMING_KEYS.some((pattern) => matches(pattern, key))).toBe(true);
      expect(LISTED_PREFIXES.some((pattern) => matches(pattern, key))).toBe(false);
    }
  });

  it('keeps the confidential from steps that do not make it, and the uploads from all but the first', () => {
    const { summary } = keys.confidential;
    expect(stepsThat('read', summary)).toEqual(['report-run']);
    expect(stepsThat('write', summary)).toEqual(['aggregate-run']);
    for (const verb of ['read', 'write'] as const) {
      const uploads = stepsThat(verb, 'incoming/a/table.csv');
      expect(uploads).toEqual(verb === 'read' ? ['plan-run'] : []);
    }
  });

  it('gives the release key to the steps that open streams, and the place key to planning', () => {
    const { releaseKey } = keys.confidential;
    const opening = ['plan-run', 'fit-model', 'assess-batch', 'aggregate-run'];
    expect(stepsThat('read', releaseKey)).toEqual(opening);
    expect(stepsThat('write', releaseKey)).toEqual(['plan-run']);
    expect(stepsThat('read', PLACE_KEY)).toEqual(['plan-run']);
    expect(stepsThat('write', PLACE_KEY)).toEqual(['plan-run']);
  });

  it('lets no step write a release but the one that synthesizes', () => {
    expect(stepsThat('write', keys.release.dataset(1))).toEqual(['fit-model']);
  });
});
