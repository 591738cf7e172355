import { describe, expect, it } from 'vitest';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { keyedRunId } from '../../shared/contracts/run/run-id.ts';
import { encodeKey, newKey, parseKey, sameKey } from '../../shared/contracts/secret-key.ts';
import { testKey } from '../test-keys.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('a key', () => {
  it('is new every time, and comes back from its file', () => {
    const keys = [newKey(), newKey()];
    expect(sameKey(keys[0]!, keys[1]!)).toBe(false);
    for (const key of keys) expect(parseKey(encodeKey(key), 'key')).toEqual(key);
    expect(new TextDecoder().decode(encodeKey(testKey(1)))).toMatch(/^[0-9a-f]{64}\n$/);
  });

  it.each([
    ['empty', ''],
    ['short', 'ab'.repeat(31)],
    ['long', 'ab'.repeat(33)],
    ['all equal', 'c7'.repeat(32)],
    ['eight bytes again and again', '0123456789abcdef'.repeat(4)],
    ['words', 'correct horse battery staple correct horse battery staple correc'],
    ['bytes', '\u0000\u0001\u0002'.repeat(11)],
  ])('that is %s is refused, and not told', (_, text) => {
    const refused = () => parseKey(utf8(text), 'my.key');
    expect(refused).toThrow(InvalidConfigError);
    expect(refused).toThrow(/^my\.key: expected a key of 32 random bytes/);
    if (text) expect(refused).not.toThrow(text.slice(0, 12));
  });
});

describe('keyedRunId()', () => {
  it('is HMAC-SHA-256, shortened (RFC 4231, test case 2)', async () => {
    const id = await keyedRunId(utf8('Jefe'), utf8('what do ya want for nothing?'));
    expect(id).toBe('5bdcc146bf60754e');
  });

  it('depends on the place and on the identity', async () => {
    const ids = await Promise.all([
      keyedRunId(testKey(1), utf8('a')),
      keyedRunId(testKey(2), utf8('a')),
      keyedRunId(testKey(1), utf8('b')),
    ]);
    expect(new Set(ids).size).toBe(3);
  });
});
