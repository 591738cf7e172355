import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../../shared/contracts/version.ts';
import { synthesize } from '../synthesize.ts';
import { allKept, type KeptResources, keptResources } from './kept-resources.ts';

const FOLDER = 'test/infra/kept/versions';
const versions = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
const keptBy = (version: string): Record<string, KeptResources> => JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8'));

/** What a version says of Object Lock in the templates of its bucket, which `cloud deploy` finds in the deployed one and keeps. */
const asDeployed = (kept: KeptResources) =>
  Object.values(kept).some(({ ObjectLockEnabled }) => ObjectLockEnabled === false) ? { objectLockWritten: 'true' } : {};

const synthesized = new Map<string, KeptResources>();

/** What keeps data by the present version, of compared settings and more; most versions ask for the same. */
function keptNow(name: string, more: Record<string, unknown>): KeptResources {
  const key = JSON.stringify([name, more]);
  if (!synthesized.has(key)) synthesized.set(key, allKept([name], () => more)[name]!);
  return synthesized.get(key)!;
}

/** Resources of an earlier template that another one would replace or leave behind. */
const lost = (earlier: KeptResources, now: KeptResources) =>
  Object.entries(earlier).flatMap(([id, made]) => (JSON.stringify(now[id]) === JSON.stringify(made) ? [] : [id]));

describe.each(versions)('what keeps data in an environment of version %s', (version) => {
  const earlier = keptBy(version);

  it('is kept by the present version, as it is deployed over it', () => {
    // Not every version had all settings.
    const names = Object.keys(earlier);
    expect(names).toContain('default');
    for (const name of names) expect([name, lost(earlier[name]!, keptNow(name, asDeployed(earlier[name]!)))]).toEqual([name, []]);
  });
});

describe('what keeps data in an environment', () => {
  it('is recorded of this version: node scripts/run-typescript.mjs test/infra/kept/record-kept.ts', () => {
    expect(versions).toContain(VERSION);
    expect(keptBy(VERSION)).toEqual(allKept());
  });

  it('is buckets, keys and logs, and is missed where a template lacks it or makes it otherwise', () => {
    const kept = keptResources(synthesize());
    const types = new Set(Object.values(kept).map(({ Type }) => Type));
    for (const type of ['AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::Logs::LogGroup']) expect(types).toContain(type);
    const [bucket] = Object.keys(kept).filter((id) => id.startsWith('RunsBucket'));
    expect(lost(kept, keptResources(synthesize({ objectLockWritten: 'true' })))).toEqual([bucket]);
    expect(lost(kept, keptResources(synthesize({ objectLock: 'governance', objectLockDays: 30 })))).toEqual([bucket]);
    const { [bucket!]: _, ...without } = kept;
    expect(lost(kept, without)).toEqual([bucket]);
  });
});
