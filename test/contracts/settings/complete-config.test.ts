import { describe, expect, it } from 'vitest';
import { completeConfig, parseSettings } from '../../../shared/contracts/settings/complete-config.ts';
import type { Settings } from '../../../shared/contracts/settings/settings.ts';

describe('a release key among the settings', () => {
  const key = `${'c0ffee'.repeat(10)}abcd`;

  it.each([{ releaseKey: key }, { 'release-key': key }, { synthesis: { release_key: key } }])('is refused, and not told', (settings) => {
    const refused = () => completeConfig(settings);
    expect(refused).toThrow(expect.objectContaining({ code: 'key-in-config' }));
    expect(refused).not.toThrow(key.slice(0, 12));
  });
});

it('names the field that is wrong', () => {
  const whereOf = (settings: Settings) => {
    try {
      return completeConfig(settings);
    } catch (error) {
      return (error as { where: object }).where;
    }
  };
  expect(whereOf({ mcmc: { chains: 0 } })).toEqual({ field: 'mcmc.chains' });
  expect(whereOf({ nothing: 1 })).toEqual({});
});

it.each([
  ['a: [1, 2]]', 'something stands where it cannot'],
  ['a: 1\na: 2', 'a field stands there twice'],
  ['a:\n\tb: 1', 'a tab stands where spaces are expected'],
  ['a: 1\n---\nb: 2', 'it holds several documents'],
])('says what is wrong with %j, which is no YAML', (text, what) => {
  expect(() => parseSettings(new TextEncoder().encode(text), 'config.yaml')).toThrow(what);
});
