import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { clientEnvironment, endpoint } from '../../localstack/emulator.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { bucketHashes, laptopHashes, succeeded } from './compare-runs.ts';
import { executionOf, executionsStarted, runOf, store, upload } from './emulated-stack.ts';
import { setVariables } from './published-function.ts';

const AT = ['--environment', 'local', '--endpoint', endpoint];
const directory = temporaryFolder();
const cloud = (...args: string[]) => synthrisk(directory, ['cloud', ...args, ...AT], { env: clientEnvironment });

describe('structural zeros', () => {
  it('are uploaded with the table, and leave the bytes of a laptop', async () => {
    const lines = ['age,status,work'];
    const rows = [
      ...['adult,married,full', 'adult,single,part', 'adult,widowed,none', 'child,single,none'],
      ...['child,single,part', 'adult,married,none', 'adult,single,full', 'child,single,none'],
    ];
    for (let i = 0; i < 60; i++) lines.push(rows[(i * i + 3 * i) % rows.length]!);
    const table = new TextEncoder().encode(`${lines.join('\n')}\n`);
    const zeros = new TextEncoder().encode('work,age,status\n,child,married\n,child,widowed\nfull,child,\n');
    const settings = { ...SMALL_SETTINGS, synthesis: { datasets: 2, structuralZeros: 'zeros.csv' } };
    for (const [name, bytes] of Object.entries({
      'table.csv': table,
      'zeros.csv': zeros,
      'zeros.yaml': stringify(settings),
      'release-key': encodeKey(await TEST_KEYS.releaseKey('')),
    })) {
      writeFileSync(join(directory, name), bytes);
    }
    const submitted = await cloud(...['submit', 'table.csv', '--config', 'zeros.yaml', '--name', 'zeros', '--release-key', 'release-key']);
    expect(submitted.code, submitted.stderr).toBe(0);
    succeeded(await executionOf('zeros'));
    const runId = submitted.stdout.trim();
    expect(await store.list('incoming/zeros/')).toContain('incoming/zeros/structural-zeros.csv');
    expect(await store.head(runKeys(runId).table.structuralZeros)).not.toBeNull();
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, settings, { structuralZeros: zeros }));
    const released = new TextDecoder().decode(await store.get(runKeys(runId).release.dataset(1)));
    expect(released).not.toMatch(/child,married|child,widowed|child,single,full/);
  });
});

describe('chains that several functions share', () => {
  it.each([3])('leave the bytes of a laptop, by a map over %i', async (fitTasks) => {
    const table = smallTable({ seed: 40 + fitTasks });
    const mcmc = { ...SMALL_SETTINGS.mcmc, reproducibility: 0.999, maxChains: 12 };
    const settings = { ...SMALL_SETTINGS, mcmc };
    const name = `shared-${fitTasks}`;
    await store.put(`incoming/${name}/budget.json`, new TextEncoder().encode(JSON.stringify({ fitTasks })));
    await upload(name, table, settings);
    succeeded(await executionOf(name));
    const runId = await runOf(name);
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, settings));
    expect(await readRunState(store, runId)).toMatchObject({ status: 'finished', fitTasks });
  });
});

describe('a run that the environment is not expected to end', () => {
  /** Every chain is an object that each batch reads, of 30 ms. */
  const settings = { ...SMALL_SETTINGS, mcmc: { ...SMALL_SETTINGS.mcmc, chains: 400 } };

  it('is refused by name before anything is paid for, once, and told of with what to do', async () => {
    await setVariables('PlanRun', (variables) => ({
      ...variables,
      ENVIRONMENT_SIZE: JSON.stringify({ ...JSON.parse(variables.ENVIRONMENT_SIZE!), assessTimeoutSeconds: 5 }),
    }));
    try {
      await upload('too-large', smallTable({ seed: 45 }), settings);
      const execution = await executionOf('too-large');
      expect(execution).toMatchObject({ status: 'FAILED', error: 'RunTooLargeError' });
      const outcome = JSON.parse(Buffer.from(await store.get('incoming/too-large/outcome.json')).toString());
      expect(outcome.error).toMatchObject({ name: 'RunTooLargeError', code: 'batch-too-long' });
      const status = await cloud('status', 'too-large', '--wait');
      expect(status.code).toBe(3);
      expect(status.stderr).toContain('A batch of any size is expected to take longer than the 5 s');
      expect(status.stderr).toContain('assessTimeoutSeconds');
    } finally {
      await setVariables('PlanRun', (variables) => ({
        ...variables,
        ENVIRONMENT_SIZE: JSON.stringify({ ...JSON.parse(variables.ENVIRONMENT_SIZE!), assessTimeoutSeconds: 90 }),
      }));
    }
  });

  it('is not uploaded by `cloud submit`, which looks ahead in the same way', async () => {
    const mcmc = { ...SMALL_SETTINGS.mcmc, burnIn: 2_000_000_000 };
    writeFileSync(join(directory, 'small.csv'), smallTable({ seed: 46 }));
    writeFileSync(join(directory, 'long.yaml'), stringify({ ...SMALL_SETTINGS, mcmc }));
    const before = await executionsStarted();
    const { code, stderr } = await cloud(...['submit', 'small.csv', '--config', 'long.yaml', '--name', 'too-long']);
    expect(code).toBe(2);
    expect(stderr).toContain('The chains are expected to take longer than the 900 s of a function.');
    expect(stderr).toContain('engine=fargate');
    expect(await store.list('incoming/too-long/')).toEqual([]);
    expect(await executionsStarted()).toBe(before);
  });
});
