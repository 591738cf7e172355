import { beforeAll, describe, expect, it } from 'vitest';
import { encodeJson, readJson } from '../../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { fetchedSchema, releaseDecisionSchema } from '../../../shared/contracts/release/approval.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { sha256 } from '../../../shared/contracts/sha256.ts';
import { writeManifest } from '../../../shared/pipeline/life/write-manifest.ts';
import { approveRelease, type ReleaseGate, withdrawApproval } from '../../../shared/pipeline/release/decide-release.ts';
import { holdResults, readApproval, readFetches, requireApproved } from '../../../shared/pipeline/release/release-state.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import type { Store } from '../../../shared/storage/store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { COUNT_SETTINGS, runInMemory, smallTable } from '../small-run.ts';

const at = (minute: number) => `2026-11-23T10:0${minute}:00.000Z`;
const MET = 'table.records > 0';
const UNMET = 'table.records > 1000';

/** A run that each test has a copy of, by the rules that it was given. */
const runs = new Map<string, { store: MemoryStore; runId: string }>();

async function copyOf(name: string): Promise<{ store: MemoryStore; runId: string }> {
  const { store, runId } = runs.get(name)!;
  const copy = new MemoryStore();
  for (const key of await store.list('')) await copy.put(key, await store.get(key));
  return { store: copy, runId };
}

/** A gate that remembers what it lets readers at. */
function gate(): ReleaseGate & { readonly opened: Set<string> } {
  const opened = new Set<string>();
  return { opened, open: async (key) => void opened.add(key), close: async (key) => void opened.delete(key) };
}

beforeAll(async () => {
  const table = smallTable();
  for (const [name, acceptance] of [
    ['met', [MET]],
    ['unmet', [MET, UNMET]],
    ['no-rules', []],
  ] as const) {
    const config = configSchema.parse({ ...COUNT_SETTINGS, acceptance });
    const { plan, store } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    runs.set(name, { store, runId: plan.runId });
  }
  const config = configSchema.parse(COUNT_SETTINGS);
  const { plan, store } = await runInMemory({ ...TEST_KEYS, purpose: 'synthesize', config, table });
  runs.set('synthesized', { store, runId: plan.runId });
});

describe('approveRelease()', () => {
  it('opens the gate for the release alone, and records who, when, the digest of the run and the verdict', async () => {
    const { store, runId } = await copyOf('met');
    const keys = runKeys(runId);
    const readers = gate();
    await expect(requireApproved(store, runId)).rejects.toMatchObject({ code: 'not-approved' });
    await approveRelease(store, { runId, by: 'officer', at: at(1), reason: null }, readers);
    const datasets = (await store.list(keys.release.root)).filter((key) => key.endsWith('.csv'));
    expect(datasets.length).toBeGreaterThan(0);
    expect([...readers.opened].sort()).toEqual([...datasets, keys.manifest, keys.signature].sort());
    const decision = await readJson(store, keys.confidential.decision(1), releaseDecisionSchema);
    expect(decision).toMatchObject({ decision: 'approved', by: 'officer', at: at(1), verdict: 'met' });
    expect(decision.runManifestSha256).toBe(await sha256(await store.get(keys.confidential.manifest)));
    expect(decision.acceptance).toMatchObject([{ rule: MET, met: true }]);
    expect(await requireApproved(store, runId)).toMatchObject({ by: 'officer', at: at(1) });
  });

  it('tells whoever gets the release nothing of the risk that was found', async () => {
    const told = [];
    for (const name of ['met', 'unmet', 'no-rules']) {
      const { store, runId } = await copyOf(name);
      await approveRelease(store, { runId, by: 'officer', at: at(1), reason: 'as agreed' });
      const { manifestSha256, ...approval } = (await readApproval(store, runId))!;
      expect(manifestSha256).toBe(await sha256(await store.get(runKeys(runId).manifest)));
      told.push({ ...approval, runId: 'RUN' });
    }
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  it.each([
    ['unmet', 'rules-not-met', 'not-met'],
    ['synthesized', 'not-assessed', 'not-assessed'],
  ])('refuses a run whose rules are %s, unless somebody says why', async (name, code, verdict) => {
    const { store, runId } = await copyOf(name);
    const readers = gate();
    const before = await store.list('');
    const decider = { runId, by: 'officer', at: at(1) };
    await expect(approveRelease(store, { ...decider, reason: null }, readers)).rejects.toMatchObject({
      name: 'AcceptanceError',
      code,
      exitCode: 4,
    });
    expect(await store.list('')).toEqual(before);
    expect(readers.opened.size).toBe(0);
    const decision = await approveRelease(store, { ...decider, reason: 'another scenario' }, readers);
    expect(decision).toMatchObject({ verdict, reason: 'another scenario' });
    expect(readers.opened.size).toBeGreaterThan(0);
  });

  it('refuses a release or a summary that is not what the manifest describes', async () => {
    for (const keyOf of [
      (keys: ReturnType<typeof runKeys>) => keys.release.dataset(1),
      (keys: ReturnType<typeof runKeys>) => keys.confidential.summary,
    ]) {
      const { store, runId } = await copyOf('met');
      const key = keyOf(runKeys(runId));
      const bytes = await store.get(key);
      bytes[bytes.length - 3]! ^= 1;
      await store.put(key, bytes);
      await expect(approveRelease(store, { runId, by: 'officer', at: at(1), reason: null })).rejects.toMatchObject({
        name: 'ArtifactError',
        code: 'artifact-changed',
      });
      expect(await readApproval(store, runId)).toBeNull();
    }
  });

  it('refuses a run that is not assessable, and was given no rules', async () => {
    const { store, runId } = await copyOf('no-rules');
    const { summary } = runKeys(runId).confidential;
    await store.put(summary, encodeJson({ ...(await readJson(store, summary, summarySchema)), assessable: false }));
    await writeManifest(store, { runId });
    await expect(approveRelease(store, { runId, by: 'officer', at: at(1), reason: null })).rejects.toMatchObject({
      code: 'rules-not-met',
      message: expect.stringContaining(`The run ${runId} is not assessable. --despite-rules`),
    });
  });

  it('refuses a release that has another file beside it, as the table itself', async () => {
    const { store, runId } = await copyOf('met');
    await store.put(runKeys(runId).release.dataset(9), new TextEncoder().encode('A\n1\n'));
    await expect(approveRelease(store, { runId, by: 'officer', at: at(1), reason: null })).rejects.toMatchObject({
      name: 'ArtifactError',
      code: 'artifact-unlisted',
      message: expect.stringContaining('release/synthetic-9.csv is not of the run'),
    });
    expect(await readApproval(store, runId)).toBeNull();
  });

  it('is refused twice, and of a release that has changed since counts no longer', async () => {
    const { store, runId } = await copyOf('no-rules');
    const decider = { runId, by: 'officer', reason: null };
    await approveRelease(store, { ...decider, at: at(1) });
    await expect(approveRelease(store, { ...decider, at: at(2) })).rejects.toMatchObject({ code: 'already-approved' });
    await store.put(`${runKeys(runId).release.root}read-me.txt`, new TextEncoder().encode('other\n'));
    await writeManifest(store, { runId });
    await expect(requireApproved(store, runId)).rejects.toMatchObject({ code: 'approval-outdated' });
    await approveRelease(store, { ...decider, at: at(3) });
    expect(await requireApproved(store, runId)).toMatchObject({ at: at(3) });
  });

  it('is not in the manifests, which stay as they were', async () => {
    const { store, runId } = await copyOf('met');
    const { confidential, manifest } = runKeys(runId);
    const before = [await store.get(manifest), await store.get(confidential.manifest)];
    await approveRelease(store, { runId, by: 'officer', at: at(1), reason: null });
    await writeManifest(store, { runId });
    expect([await store.get(manifest), await store.get(confidential.manifest)]).toEqual(before);
  });
});

describe('holdResults()', () => {
  it('lets a run pass as it was written, without tables that were removed, and where it has no manifests', async () => {
    const { store, runId } = await copyOf('met');
    await approveRelease(store, { runId, by: 'officer', at: at(1), reason: null });
    await holdResults(store, runId);
    const { confidential } = runKeys(runId);
    const kept = new MemoryStore();
    for (const key of await store.list('')) if (!key.endsWith('.parquet')) await kept.put(key, await store.get(key));
    await holdResults(kept, runId);
    await kept.put(confidential.summary, encodeJson({}));
    await expect(holdResults(kept, runId)).rejects.toMatchObject({ code: 'artifact-changed' });
    await holdResults(new MemoryStore(), runId);
  });

  it.each([
    ['confidential/summary.json', 'artifact-changed'],
    ['confidential/utility.csv', 'artifact-changed'],
    ['release/synthetic-1.csv', 'artifact-changed'],
    ['release/table.csv', 'artifact-unlisted'],
  ])('refuses %s that is of another hand: %s', async (path, code) => {
    const { store, runId } = await copyOf('unmet');
    await store.put(runKeys(runId).root + path, new TextEncoder().encode('A\n1\n'));
    await expect(holdResults(store, runId)).rejects.toMatchObject({ name: 'ArtifactError', code, message: expect.stringContaining(path) });
  });
});

describe('holdResults() of a run with missing files', () => {
  async function without(isLost: (key: string) => boolean) {
    const { store, runId } = await copyOf('met');
    const lost = (await store.list('')).filter(isLost);
    const kept = new MemoryStore();
    for (const key of await store.list('')) if (!lost.includes(key)) await kept.put(key, await store.get(key));
    return { runId, lost, kept };
  }

  it('refuses one that lacks some of what a report shows, by its name', async () => {
    let left = 2;
    const { runId, lost, kept } = await without((key) => key.includes('/parts/') && left-- > 0);
    expect(lost).toHaveLength(2);
    await expect(holdResults(kept, runId)).rejects.toMatchObject({
      code: 'artifact-not-found',
      message: expect.stringMatching(new RegExp(`^${lost[0]} is missing, with 1 more, from`)),
    });
  });

  it('takes one without any parts, as it is fetched from AWS', async () => {
    const { runId, lost, kept } = await without((key) => /\/(parts|draws|synthesis|table)\//.test(key));
    expect(lost.length).toBeGreaterThan(0);
    await holdResults(kept, runId);
  });
});

describe('withdrawApproval()', () => {
  it('shuts the gate whatever notes lie there, and says which of them are none', async () => {
    const { store, runId } = await copyOf('met');
    const keys = runKeys(runId);
    const readers = gate();
    const { manifestSha256 } = await approveRelease(store, { runId, by: 'officer', at: at(1), reason: null }, readers);
    const note = fetchedSchema.parse({ runId, at: at(2), by: 'reader', manifestSha256 });
    const notes: Record<string, Uint8Array> = {
      good: encodeJson(note),
      'no-json': Buffer.from('{'),
      'no-note': encodeJson({ at: at(2) }),
      'of-another': encodeJson({ ...note, runId: '0123456789abcdef' }),
      'with-lines': encodeJson({ ...note, by: 'reader\n\u001b[2J' }),
      long: encodeJson({ ...note, by: 'x'.repeat(1_000_000) }),
      'deep/er': encodeJson(note),
    };
    for (const [name, bytes] of Object.entries(notes)) await store.put(keys.tasks.fetched(name), bytes);
    const bad = Object.keys(notes).filter((name) => name !== 'good');
    const found = await readFetches(store, runId);
    expect(found.fetched).toEqual([{ at: at(2), by: 'reader' }]);
    expect(found.unreadable.sort()).toEqual(bad.sort());
    const decision = await withdrawApproval(store, { runId, by: 'officer', at: at(3) }, readers);
    expect(decision).toMatchObject({ decision: 'withdrawn', fetched: [{ by: 'reader' }] });
    expect(decision.unreadable).toHaveLength(bad.length);
    expect(readers.opened.size).toBe(0);
  });

  it('shuts the gate, and records who had fetched the release by then', async () => {
    const { store, runId } = await copyOf('met');
    const readers = gate();
    const decider = { runId, by: 'officer', at: at(1) };
    await expect(withdrawApproval(store, decider, readers)).rejects.toMatchObject({ code: 'not-approved' });
    await approveRelease(store, { ...decider, reason: null }, readers);
    const { manifestSha256 } = await requireApproved(store, runId);
    const note = fetchedSchema.parse({ runId, at: at(2), by: 'reader', manifestSha256 });
    await store.put(runKeys(runId).tasks.fetched('one'), encodeJson(note));
    const decision = await withdrawApproval(store, { runId, by: 'other', at: at(3) }, readers);
    expect(decision).toMatchObject({ decision: 'withdrawn', fetched: [{ at: at(2), by: 'reader' }] });
    expect(readers.opened.size).toBe(0);
    expect(await readJson(store, runKeys(runId).confidential.decision(2), releaseDecisionSchema)).toEqual(decision);
    await expect(requireApproved(store, runId)).rejects.toMatchObject({ code: 'approval-withdrawn' });
    await expect(withdrawApproval(store, decider, readers)).rejects.toMatchObject({ code: 'not-approved' });
    await approveRelease(store, { ...decider, at: at(4), reason: null }, readers);
    expect(await requireApproved(store, runId)).toMatchObject({ at: at(4) });
  });
});

/** Lets a store and a gate fail at their nth change, before it or, its answer lost, after it. */
function failing(store: Store, readers: ReleaseGate, n: number, moment: 'before' | 'after') {
  let changes = 0;
  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    const fails = ++changes === n;
    if (fails && moment === 'before') throw new Error('broken off');
    const result = await work();
    if (fails) throw new Error('broken off');
    return result;
  };
  return {
    store: {
      get: (key: string) => store.get(key),
      list: (prefix: string) => store.list(prefix),
      head: (key: string) => store.head(key),
      put: (...args: Parameters<Store['put']>) => change(() => store.put(...args)),
      putPieces: (key, pieces) => change(() => store.putPieces(key, pieces)),
      change: (...args: Parameters<Store['change']>) => change(() => store.change(...args)),
    } satisfies Store,
    gate: { open: (key: string) => change(() => readers.open(key)), close: (key: string) => change(() => readers.close(key)) },
  };
}

describe('a decision that is broken off', () => {
  const points = [1, 2, 3, 4, 5, 6].flatMap((n) => [
    { n, moment: 'before' as const },
    { n, moment: 'after' as const },
  ]);

  it.each(points)('$moment change $n is carried out by deciding again, and recorded once', async ({ n, moment }) => {
    const { store, runId } = await copyOf('met');
    const keys = runKeys(runId);
    const readers = gate();
    const decider = { runId, by: 'officer', at: at(1) };
    const recorded = async () => (await store.list(keys.confidential.decisions)).length;
    const once = async (work: (of: ReturnType<typeof failing>) => Promise<unknown>, code: string) => {
      const error = await work(failing(store, readers, n, moment)).then(
        () => null,
        (thrown: Error) => thrown,
      );
      expect(error?.message).toBe('broken off');
      const again = await work(failing(store, readers, Number.POSITIVE_INFINITY, 'before')).then(
        () => null,
        (thrown: { code: string }) => thrown.code,
      );
      // Where the last answer alone was lost, all is done.
      expect([null, code]).toContain(again);
    };
    // An approval changes a decision, the gate of two datasets and two more files, and what is told.
    await once((of) => approveRelease(of.store, { ...decider, reason: null }, of.gate), 'already-approved');
    expect(await recorded()).toBe(1);
    expect(await requireApproved(store, runId)).toMatchObject({ at: at(1) });
    expect(readers.opened.size).toBe(4);
    await once((of) => withdrawApproval(of.store, { ...decider, at: at(2) }, of.gate), 'not-approved');
    expect(await recorded()).toBe(2);
    expect(readers.opened.size).toBe(0);
    await expect(requireApproved(store, runId)).rejects.toMatchObject({ code: 'approval-withdrawn' });
  });

  it('is not put over one that somebody else made meanwhile', async () => {
    const { store, runId } = await copyOf('met');
    const approve = (of: Store, by: string) => approveRelease(of, { runId, by, at: at(1), reason: null });
    const { decision } = runKeys(runId).confidential;
    const late: Store = {
      get: (key) => store.get(key),
      list: (prefix) => store.list(prefix),
      head: (key) => store.head(key),
      put: async (key, bytes, options) => {
        if (key === decision(1)) await approve(store, 'faster');
        return store.put(key, bytes, options);
      },
      putPieces: (key, pieces) => store.putPieces(key, pieces),
      change: (...args) => store.change(...args),
    };
    await expect(approve(late, 'slower')).rejects.toMatchObject({ name: 'RunConflictError', code: 'decided-meanwhile' });
    expect(await requireApproved(store, runId)).toMatchObject({ by: 'faster' });
  });
});
