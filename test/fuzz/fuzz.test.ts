import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import { hostileFile, mistakeAt } from './door.ts';
import { DOORS } from './doors.ts';

describe('files that somebody broke', () => {
  it.each(DOORS)('are taken or refused by a named error without a cell: $name', async (door) => {
    for (const file of door.files) expect(await mistakeAt(door, file)).toBeNull();
    await fc.assert(
      fc.asyncProperty(hostileFile(door), async (bytes) => {
        expect(await mistakeAt(door, bytes)).toBeNull();
      }),
      { numRuns: door.cases ?? 100 },
    );
  });

  it('a config is refused at once whose names of fields are fields, one within the other', () => {
    const text = new TextEncoder().encode(`${'? '.repeat(300)}a`);
    expect(() => parseSettings(text, 'run.yaml')).toThrow(
      /run\.yaml, line 1, column \d+: not YAML, since .* the name of a field is expected/,
    );
  });

  it.each([
    ['mistakes', '__proto__: {x: 1}'.repeat(8000), /not YAML, since something stands where it cannot/],
    ['anchors', '&a [*a, *a]'.repeat(8000), /not YAML/],
    [
      'fields',
      `${Array.from({ length: 30_000 }, (_, i) => `k${i}: 1`).join('\n')}\nk7: 2`,
      /line 30001, column 1: not YAML, since a field stands there twice/,
    ],
    ['bytes', 'a'.repeat(5 * 2 ** 20), /larger than 4 MiB/],
  ])('a config of very many %s is refused in seconds', (_, text, message) => {
    const began = performance.now();
    expect(() => parseSettings(new TextEncoder().encode(text), 'run.yaml')).toThrow(message);
    expect(performance.now() - began).toBeLessThan(8000);
  });

  it('a config may have numbers as names', () => {
    expect(parseSettings(new TextEncoder().encode('variables: {2016: {type: continuous}}'), 'run.yaml')).toEqual({
      variables: { '2016': { type: 'continuous' } },
    });
  });
});
