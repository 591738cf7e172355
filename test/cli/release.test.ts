import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { newRunState, writeRunState } from '../../shared/pipeline/life/run-state.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { COUNT_SETTINGS, runInMemory, smallTable } from '../pipeline/small-run.ts';
import { errorOf, filesBelow, synthrisk, temporaryFolder } from '../run-command.ts';
import { TEST_KEYS } from '../test-keys.ts';

const directory = temporaryFolder();
const release = (...args: string[]) => synthrisk(directory, ['release', 'run', ...args]);
const read = (path: string) => JSON.parse(readFileSync(join(directory, 'run', path), 'utf8'));

beforeAll(async () => {
  const config = configSchema.parse({ ...COUNT_SETTINGS, acceptance: ['table.records > 1000'] });
  const { plan, store } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable() });
  const folder = new FileStore(join(directory, 'run'), runKeys(plan.runId).root);
  for (const key of await store.list('')) await folder.put(key, await store.get(key));
  await writeRunState(folder, { ...newRunState(plan), status: 'finished' });
});

describe('release', () => {
  it('refuses what cannot be meant, in one line each', async () => {
    for (const [args, code] of [
      [['--approve', '--withdraw'], 'two-decisions'],
      [['--despite-rules', 'because'], 'reason-without-approval'],
      [['--approve', '--despite-rules', ' '], 'no-reason'],
      [['--by', 'A. Officer'], 'name-without-decision'],
      [['--withdraw'], 'not-approved'],
    ] as const) {
      const outcome = await release(...args, '--json');
      expect(outcome.code).toBe(2);
      expect(errorOf(outcome).code).toBe(code);
      expect(outcome.stderr.trimEnd()).not.toContain('\n');
    }
  });

  it('approves a run by its rules, or with a reason against them, and withdraws that', async () => {
    const unmet = await release('--approve');
    expect(unmet).toMatchObject({ code: 4, stderr: expect.stringContaining('approves it all the same, and records why.') });
    expect(filesBelow(join(directory, 'run'))).not.toContain('release/APPROVED.json');
    expect((await release()).stdout).toMatch(/^Run [0-9a-f]{16}: nobody has approved the release\n/);
    const done = await release('--approve', '--despite-rules', 'a trial', '--by', 'A. Officer');
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/approved by A\. Officer .*a trial/) });
    const approval = read('release/APPROVED.json');
    expect(approval).toMatchObject({ status: 'approved', by: 'A. Officer' });
    expect(Object.keys(approval)).toEqual(['version', 'runId', 'status', 'at', 'by', 'manifestSha256']);
    expect(read('confidential/decisions/1.json')).toMatchObject({ verdict: 'not-met', reason: 'a trial' });
    expect((await release()).stdout).toContain('release approved by A. Officer');
    const withdrawn = await release('--withdraw', '--json');
    expect(JSON.parse(withdrawn.stdout)).toMatchObject({ decision: 'withdrawn', fetched: [] });
    expect(read('release/APPROVED.json').status).toBe('withdrawn');
    expect((await release()).stdout).toContain('release withdrawn by ');
  });

  it('says what was decided where APPROVED.json is missing, or says otherwise', async () => {
    const place = join(directory, 'run', 'release', 'APPROVED.json');
    await release('--approve', '--despite-rules', 'a trial', '--by', 'A. Officer');
    const approved = readFileSync(place);
    rmSync(place);
    expect((await release()).stdout).toMatch(
      /release\/APPROVED\.json is missing\n {2}confidential\/decisions\/3\.json has the release approved by A\. Officer at .*; --approve carries the decision out/,
    );
    expect(JSON.parse((await release('--json')).stdout)).toMatchObject({
      approval: null,
      recorded: { decision: 'approved', by: 'A. Officer' },
    });
    await release('--approve', '--despite-rules', 'a trial');
    expect(readFileSync(place)).toEqual(approved);
    expect((await release()).stdout).not.toContain('decisions');
    await release('--withdraw');
    writeFileSync(place, approved);
    expect((await release()).stdout).toMatch(
      /APPROVED\.json says otherwise than what was decided: .* has the release withdrawn by .*; --approve decides anew/,
    );
    await release('--approve', '--despite-rules', 'a trial');
    await release('--withdraw');
  });

  it('takes a name of one line alone, and prints nothing else that commands a terminal, whoever is said to have decided', async () => {
    const names = ['A\u001b[31m. Officer', 'A.\nRun forged: release', ' ', 'x'.repeat(121)];
    for (const name of names) expect((await release('--approve', '--despite-rules', 'a trial', '--by', name)).code).toBe(2);
    await release('--approve', '--despite-rules', 'a trial');
    const place = join(directory, 'run', 'release', 'APPROVED.json');
    const bytes = readFileSync(place);
    writeFileSync(place, JSON.stringify({ ...JSON.parse(bytes.toString()), by: 'A\u001b[31m.\nOfficer' }));
    expect((await release()).stdout).toContain('approved by A?[31m.?Officer at');
    writeFileSync(place, bytes);
    await release('--withdraw');
  });

  it('says of a release that is not what was approved that it is not', async () => {
    await release('--approve', '--despite-rules', 'a trial');
    const manifest = join(directory, 'run', 'manifest.json');
    writeFileSync(manifest, `${readFileSync(manifest, 'utf8')} `);
    expect(await release()).toMatchObject({ code: 2, stderr: expect.stringContaining('is not the one that was approved at') });
  });

  it('holds what a recipient has to its manifest: what is changed is refused by name, what is not listed is said', async () => {
    const folder = join(directory, 'received');
    const kept = filesBelow(join(directory, 'run')).filter((path) => /^(release\/|manifest\.json$)/.test(path));
    for (const path of kept) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      copyFileSync(join(directory, 'run', path), join(folder, path));
    }
    const check = (...args: string[]) => synthrisk(directory, ['release', 'received', ...args]);
    expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining('is not the one that was approved at') });
    expect(await check('--withdraw')).toMatchObject({ code: 2, stderr: expect.stringContaining('received holds no run') });
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').trimEnd().concat('\n'));
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 files as the manifest describes them, and as they were approved'),
    });
    writeFileSync(join(folder, 'release', 'notes.txt'), 'of another hand');
    expect(JSON.parse((await check('--json')).stdout)).toMatchObject({
      approval: { status: 'approved' },
      files: ['release/synthetic-1.csv', 'release/synthetic-2.csv'],
      unlisted: ['release/notes.txt'],
    });
    writeFileSync(join(folder, 'release', 'synthetic-2.csv'), 'a,b\n1,2\n');
    const changed = await check('--json');
    expect(changed.code).toBe(3);
    expect(errorOf(changed)).toMatchObject({ code: 'artifact-changed', message: expect.stringContaining('release/synthetic-2.csv') });
  });

  it.each([
    ['confidential/summary.json', (text: string) => text.replaceAll('"met": false', '"met": true')],
    ['release/table.csv', () => 'a,b\n1,2\n'],
  ])('is not of %s that was changed or put there, whatever writes manifests anew in between', async (path, change) => {
    const place = join(directory, 'run', path);
    const before = existsSync(place) ? readFileSync(place, 'utf8') : '';
    writeFileSync(place, change(before));
    for (const args of [
      ['report', 'run'],
      ['report', 'run', '--evidence'],
      ['release', 'run', '--approve', '--despite-rules', 'a trial'],
    ]) {
      expect(await synthrisk(directory, args)).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(path) });
    }
    if (before === '') rmSync(place);
    else writeFileSync(place, before);
    expect((await synthrisk(directory, ['report', 'run'])).code).toBe(0);
  });

  it('leaves in the folder who signed the manifests: nobody', () => {
    for (const path of ['manifest.signature.json', 'confidential/manifest.signature.json']) {
      expect(read(path)).toMatchObject({ signed: false });
    }
  });
});
