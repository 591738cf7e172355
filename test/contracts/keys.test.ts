import { describe, expect, it } from 'vitest';
import { runKeys } from '../../shared/contracts/keys.ts';
import { assertStoreKey } from '../../shared/storage/store.ts';

/** Every text in a structure of keys; functions of numbers or of a chain's name are called with one. */
function texts(keys: unknown): string[] {
  if (typeof keys === 'string') return [keys];
  if (typeof keys === 'function') return texts(keys.length === 0 ? keys() : keys(7));
  return Object.values(keys as object).flatMap(texts);
}

describe('runKeys()', () => {
  const all = texts(runKeys('0123456789abcdef'));

  it('puts every key below the run', () => {
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((key) => !key.startsWith('runs/0123456789abcdef/'))).toEqual([]);
  });

  it('gives keys that a store accepts, but for folders, which end in a slash', () => {
    for (const key of all) expect(() => assertStoreKey(key.replace(/\/$/, ''))).not.toThrow();
  });

  it('gives every artifact a key of its own', () => {
    expect(new Set(all).size).toBe(all.length);
  });

  it('keeps what may be released apart from what discloses', () => {
    const { release, confidential } = runKeys('r');
    expect(release.dataset(2)).toBe('runs/r/release/synthetic-2.csv');
    expect(confidential.table('attribute-risk').csv).toBe('runs/r/confidential/attribute-risk.csv');
    expect(release.masked(1)).toBe('runs/r/release/masked-1.csv');
    expect(all.filter((key) => key.includes('/release/'))).toHaveLength(Object.keys(release).length);
  });
});
