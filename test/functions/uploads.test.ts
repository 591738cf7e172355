import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { handler as planUpload } from '../../functions/plan-run/handler.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { runInMemory, smallTable, WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { BUCKET, environmentSize, fakeBucket } from './fake-bucket.ts';
import { plantKeys } from './plant-keys.ts';
import { resultHashes } from './result-hashes.ts';
import { runWorkflow, uploadEvent } from './run-workflow.ts';
import { outcomeOf } from './upload-table.ts';

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 20 }) });

/** Puts a config and then a table at a moment of the server's clock, and gives the event. */
async function upload(name: string, table: Uint8Array, { settings = WITHOUT_UTILITY as object | null, at = 0, sequencer = '0A' } = {}) {
  bucket.s3.now = () => new Date(Date.UTC(2026, 0, 1, 12, 0, at));
  await plantKeys(bucket.store, name);
  if (settings !== null) await bucket.store.put(`incoming/${name}/run.yaml`, Buffer.from(stringify(settings)));
  const key = `incoming/${name}/table.csv`;
  await bucket.store.put(key, table);
  return uploadEvent(BUCKET, key, bucket.s3.versionOf(BUCKET, key), sequencer);
}

const runIdOf = async (table: Uint8Array, settings: object = WITHOUT_UTILITY) =>
  (await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(settings), table })).plan.runId;

describe('two uploads of one name, the second before the first is read', () => {
  const [first, second] = [31, 32].map((seed) => smallTable({ seed })) as [Uint8Array, Uint8Array];

  it('are both evaluated, each as it was put, and both are found beside the upload', async () => {
    const one = await upload('quick', first, { sequencer: '0055AED6DCD90281E5' });
    const two = await upload('quick', second, { sequencer: '0055AED6DCD90281E51' });
    const ends = [await runWorkflow(bucket.store, 'one', one), await runWorkflow(bucket.store, 'two', two)];
    const expected = [await runIdOf(first), await runIdOf(second)];
    expect(ends.map(({ runId }) => runId)).toEqual(expected);
    expect(ends.map(({ outcome }) => outcome)).toEqual(['planned', 'planned']);
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(WITHOUT_UTILITY), table: first });
    expect(await resultHashes(bucket.store, laptop.plan)).toEqual(await resultHashes(laptop.store, laptop.plan));
    const outcome = await outcomeOf(bucket.store, 'quick');
    expect(outcome).toMatchObject({ runId: expected[1], earlier: [{ runId: expected[0] }] });
    // An event that is delivered twice changes nothing.
    await runWorkflow(bucket.store, 'one again', one);
    expect(await outcomeOf(bucket.store, 'quick')).toEqual(outcome);
  });

  it.each(['fit-model', 'assess-batch', 'report-run'])(
    'are both evaluated where the second comes while the first is in its %s',
    async (during) => {
      const name = `during-${during}`;
      const seeds = { 'fit-model': 33, 'assess-batch': 35, 'report-run': 37 }[during]!;
      const tables = [seeds, seeds + 1].map((seed) => smallTable({ seed })) as [Uint8Array, Uint8Array];
      const settings = { ...WITHOUT_UTILITY, seed: 78 };
      const one = await upload(name, tables[0], { sequencer: '0A' });
      let second: Awaited<ReturnType<typeof runWorkflow>> | undefined;
      const first = await runWorkflow(bucket.store, `${name}-1`, one, async (step, work) => {
        if (step === during && second === undefined) {
          const two = await upload(name, tables[1], { at: 30, sequencer: '0B', settings });
          second = await runWorkflow(bucket.store, `${name}-2`, two);
        }
        return work();
      });
      expect([first.outcome, second!.outcome]).toEqual(['planned', 'planned']);
      for (const [table, own, { runId }] of [[tables[0], WITHOUT_UTILITY, first] as const, [tables[1], settings, second!] as const]) {
        const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(own), table });
        expect(runId).toBe(laptop.plan.runId);
        expect((await readRunState(bucket.store, runId!))!.status).toBe('finished');
        expect(await resultHashes(bucket.store, laptop.plan)).toEqual(await resultHashes(laptop.store, laptop.plan));
      }
      expect(await outcomeOf(bucket.store, name)).toMatchObject({ runId: second!.runId, earlier: [{ runId: first.runId }] });
    },
    120_000,
  );

  it('are found in the order in which they were put, whichever is planned first', async () => {
    const one = await upload('late', first, { sequencer: '0A' });
    const two = await upload('late', second, { sequencer: '0B' });
    await planUpload({ execution: 'two', input: two });
    await planUpload({ execution: 'one', input: one });
    const [early, last] = [await runIdOf(first), await runIdOf(second)];
    expect(await outcomeOf(bucket.store, 'late')).toMatchObject({ runId: last, earlier: [{ runId: early }] });
  });

  it('keep the refusal of one beside the run of the other', async () => {
    const one = await upload('mixed', Buffer.from('a,b\n1,2\n1\n'), { sequencer: '0A' });
    const two = await upload('mixed', second, { sequencer: '0B' });
    for (const [execution, input] of Object.entries({ two, one })) await planUpload({ execution, input }).catch(() => undefined);
    expect(await outcomeOf(bucket.store, 'mixed')).toMatchObject({
      runId: await runIdOf(second),
      earlier: [{ error: { code: 'ragged-row' } }],
    });
  });

  it('are not mixed: a table is refused whose config is of a later one, and that one is evaluated', async () => {
    const settings = { ...WITHOUT_UTILITY, seed: 77 };
    const one = await upload('config', first, { at: 1, sequencer: '0A' });
    const two = await upload('config', second, { at: 2, sequencer: '0B', settings });
    await expect(planUpload({ execution: 'one', input: one })).rejects.toMatchObject({
      name: 'InvalidConfigError',
      message: expect.stringMatching(/^changed-upload: incoming\/config\/release-key, incoming\/config\/run\.yaml was put after the table/),
    });
    const { runId } = await planUpload({ execution: 'two', input: two });
    expect(runId).toBe(await runIdOf(second, settings));
    expect(await outcomeOf(bucket.store, 'config')).toMatchObject({ runId, earlier: [{ error: { code: 'changed-upload' } }] });
  });
});
