import { describe, expect, it } from 'vitest';
import {
  listRun,
  type ObjectVersion,
  purgeRun,
  purgeUpload,
  requireRun,
  type Undeleted,
  type VersionedObjects,
} from '../../../cli/cloud/purge-run.ts';
import { encodeJson } from '../../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';

const RUN = '0123456789abcdef';
const OTHER = 'fedcba9876543210';
const keys = runKeys(RUN);

/** Objects with versions in memory, whose deletions can fail. */
class Versions implements VersionedObjects {
  kept: ObjectVersion[] = [];
  readonly locks = new Map<string, { mode: string; until: Date }>();
  /** Words with which the next deletions fail, a request each; `lost` deletes and loses the answer. */
  faults: string[] = [];
  /** Keys in the order in which they went. */
  readonly gone: string[] = [];
  readonly bypassed: boolean[] = [];

  add(key: string, ...kinds: ('version' | 'marker')[]): void {
    kinds.forEach((kind, i) => {
      const isLatest = i === kinds.length - 1;
      this.kept.push({ key, version: `v${i}`, isLatest, isMarker: kind === 'marker' });
    });
  }

  async versions(prefix: string): Promise<ObjectVersion[]> {
    return this.kept.filter(({ key }) => key.startsWith(prefix));
  }

  async delete(versions: readonly ObjectVersion[], bypass: boolean): Promise<Undeleted[]> {
    if (versions.length === 0) return [];
    this.bypassed.push(bypass);
    const fault = this.faults.shift();
    const left: Undeleted[] = [];
    for (const [i, one] of versions.entries()) {
      const lock = this.locks.get(one.key);
      const held = lock && !(bypass && lock.mode === 'GOVERNANCE');
      // Of a request that fails in part, the first is left.
      if (held || (fault !== undefined && fault !== 'lost' && i === 0)) {
        left.push({ key: one.key, version: one.version, why: held ? 'AccessDenied' : fault! });
        continue;
      }
      this.kept = this.kept.filter((kept) => kept !== one);
      this.gone.push(one.key);
    }
    if (fault === 'lost') throw new Error('the answer was lost');
    return left;
  }

  async lockedUntil({ key }: ObjectVersion) {
    return this.locks.get(key) ?? null;
  }
}

/** A run with two uploads, one of whose names was taken for another run since, beside another run. */
async function bucket(): Promise<{ objects: Versions; store: MemoryStore }> {
  const objects = new Versions();
  const store = new MemoryStore();
  for (const key of [keys.run, keys.lock]) objects.add(key, 'version', 'version');
  for (const name of ['first', 'taken']) objects.add(keys.tasks.upload(name), 'version');
  objects.add(keys.table.counts, 'version');
  objects.add(keys.part(1, 1).columns, 'version', 'marker');
  objects.add(keys.confidential.summary, 'version', 'version', 'version');
  objects.add('incoming/first/table.csv', 'version', 'marker');
  objects.add('incoming/first/outcome.json', 'version');
  await store.put('incoming/first/outcome.json', encodeJson({ runId: RUN }));
  objects.add('incoming/taken/table.csv', 'version', 'version');
  objects.add('incoming/taken/outcome.json', 'version', 'version');
  await store.put('incoming/taken/outcome.json', encodeJson({ runId: OTHER }));
  objects.add(runKeys(OTHER).run, 'version');
  objects.add('place-key', 'version');
  return { objects, store };
}

/** What has to be there still when the run is gone. */
const OTHERS = ['incoming/taken/table.csv', 'incoming/taken/outcome.json', runKeys(OTHER).run, 'place-key'];

const purge = ({ objects, store }: Awaited<ReturnType<typeof bucket>>, { bypass = false, running = [] as boolean[] } = {}) =>
  purgeRun(objects, store, { runId: RUN, bypass, isRunning: async () => running.shift() ?? false });

describe('purgeRun()', () => {
  it('deletes all versions and delete markers of a run and its uploads, and of nothing else', async () => {
    const place = await bucket();
    const { uploads, versions } = await purge(place);
    expect(uploads).toEqual(['first', 'taken']);
    expect(versions).toHaveLength(4 + 2 + 1 + 2 + 3 + 3 + 2);
    expect(place.objects.kept.map(({ key }) => key).sort()).toEqual([...OTHERS].sort());
    expect(place.objects.kept.every(({ isLatest }) => isLatest)).toBe(true);
  });

  it('lets what says that the run is there go last', async () => {
    const place = await bucket();
    await purge(place);
    const last = [keys.run, keys.run, keys.lock, keys.lock, keys.tasks.upload('first'), keys.tasks.upload('taken')];
    expect(place.objects.gone.slice(-last.length).sort()).toEqual(last.sort());
  });

  it.each([['SlowDown'], ['InternalError', 'SlowDown', 'InternalError']])('goes on where deletions fail for now: %j', async (...faults) => {
    const place = await bucket();
    place.objects.faults = [...faults];
    await purge(place);
    expect(place.objects.kept).toHaveLength(OTHERS.length);
  });

  it('can be repeated after an answer was lost, first or last', async () => {
    for (const faults of [['lost'], ['', 'lost']]) {
      const place = await bucket();
      // Without a word nothing fails.
      let request = 0;
      const original = place.objects.delete.bind(place.objects);
      place.objects.delete = (versions, bypass) => {
        const fault = faults[request++];
        if (fault) place.objects.faults = [fault];
        return original(versions, bypass);
      };
      await expect(purge(place)).rejects.toThrow('the answer was lost');
      const rest = await listRun(place.objects, place.store, RUN);
      if (rest.versions.length > 0) await purge(place);
      expect(place.objects.kept.filter(({ key }) => key.startsWith(keys.root))).toEqual([]);
      expect(place.objects.kept.filter(({ key }) => key.startsWith('incoming/first/'))).toEqual([]);
    }
  });

  it('says that versions are left when deletions go on failing', async () => {
    const place = await bucket();
    place.objects.faults = Array.from({ length: 20 }, () => 'InternalError');
    await expect(purge(place)).rejects.toMatchObject({ name: 'ArtifactError', code: 'not-purged' });
    expect((await listRun(place.objects, place.store, RUN)).uploads).toContain('first');
  });

  it('refuses a run that is under way, also one that was gone on with meanwhile', async () => {
    const underWay = await bucket();
    const before = underWay.objects.kept.length;
    await expect(purge(underWay, { running: [true] })).rejects.toMatchObject({ code: 'run-under-way' });
    expect(underWay.objects.kept).toHaveLength(before);
    const resumed = await bucket();
    await expect(purge(resumed, { running: [false, true] })).rejects.toMatchObject({ code: 'run-under-way' });
    expect(resumed.objects.kept.some(({ key }) => key === keys.lock)).toBe(true);
  });

  it('refuses a run of which there is nothing', async () => {
    const place = { objects: new Versions(), store: new MemoryStore() };
    await expect(purge(place)).rejects.toMatchObject({ name: 'InvalidConfigError', code: 'no-run' });
  });

  it('tells of locks: past those in governance mode there is a way, past the others none', async () => {
    const until = new Date('2027-01-02T00:00:00Z');
    for (const mode of ['GOVERNANCE', 'COMPLIANCE']) {
      const place = await bucket();
      place.objects.locks.set(keys.confidential.summary, { mode, until });
      const refused = { name: 'RunConflictError', code: 'locked-versions' };
      await expect(purge(place)).rejects.toMatchObject({
        ...refused,
        message: expect.stringMatching(
          mode === 'GOVERNANCE'
            ? /^3 versions .*2027-01-02T.*--bypass-governance/
            : /^3 versions .*2027-01-02T.*Nobody can delete them before/,
        ),
      });
      expect(place.objects.kept.some(({ key }) => key === keys.table.counts)).toBe(false);
      if (mode === 'COMPLIANCE') {
        await expect(purge(place, { bypass: true })).rejects.toMatchObject(refused);
      } else {
        await purge(place, { bypass: true });
        expect(place.objects.kept).toHaveLength(OTHERS.length);
        expect(place.objects.bypassed).toContain(true);
      }
    }
  });
});

describe('purgeUpload()', () => {
  const error = { name: 'InvalidTableError', code: 'ragged-row', message: 'Row 2.' };

  it('deletes an upload that was refused, or that came to nothing, with all versions', async () => {
    const { objects, store } = await bucket();
    objects.add('incoming/refused/table.csv', 'version', 'version', 'marker');
    objects.add('incoming/refused/outcome.json', 'version');
    await store.put('incoming/refused/outcome.json', encodeJson({ error }));
    objects.add('incoming/silent/table.csv', 'version');
    // Below a name that no upload has, which nobody but who puts by other programs gives.
    objects.add('incoming/.hidden/table.csv', 'version');
    const before = objects.kept.length;
    expect(await purgeUpload(objects, store, { name: '.hidden', bypass: false })).toHaveLength(1);
    expect(await purgeUpload(objects, store, { name: 'refused', bypass: false })).toHaveLength(4);
    expect(await purgeUpload(objects, store, { name: 'silent', bypass: false })).toHaveLength(1);
    expect(objects.kept).toHaveLength(before - 6);
  });

  it('leaves one that became a run to the purge of that run, and names one that is none', async () => {
    const { objects, store } = await bucket();
    await store.put('incoming/first/outcome.json', encodeJson({ error, earlier: [{ runId: RUN }] }));
    const refused = purgeUpload(objects, store, { name: 'first', bypass: false });
    await expect(refused).rejects.toMatchObject({ code: 'upload-of-a-run', message: expect.stringContaining(RUN) });
    await expect(purgeUpload(objects, store, { name: 'none', bypass: false })).rejects.toMatchObject({ code: 'no-upload' });
    expect(objects.gone).toEqual([]);
  });

  it('counts nothing of a run that is none', async () => {
    const { objects, store } = await bucket();
    await expect(requireRun(objects, store, '0'.repeat(16))).rejects.toMatchObject({ code: 'no-run' });
  });
});
