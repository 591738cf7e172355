import { expect, it } from 'vitest';
import { linkageOf } from '../../../cli/flags/masking-flags.ts';
import { maskingOf } from '../../../shared/contracts/settings/masking-settings.ts';

const flags = { link: 'weights', intruderShare: 0.5 };

it.each([
  [{ method: 'individual-ranking', k: 3 }],
  [{ method: 'mdav', k: null }],
  [{ method: 'rank-swap', p: 15 }],
  [{ method: 'noise', noise: 0.2 }],
  [{ method: 'noise-mixture', noise: 0.1 }],
  [{ method: 'sample' }],
  [{ method: 'errors' }],
  [{ method: 'top-code' }],
  [{ method: 'synthetic', tail: 0.02 }],
])('reidentify knows a file masked by %j', ({ k, tail: _, ...masked }: { method: string; k?: number | null; tail?: number }) => {
  const expected = { ...masked, ...(k === undefined ? {} : { k }), ...(masked.method === 'synthetic' ? { tail: 0.02 } : {}) };
  expect(linkageOf({ ...flags, ...masked, ...(k ? { k } : {}) })).toMatchObject({
    masked: expected,
    variables: null,
    oneToOne: false,
    errors: 0,
  });
});

it('reidentify refuses a flag of another method, and what is left to tolerate where all has to agree', () => {
  const codeOf = (given: object) => {
    try {
      return linkageOf({ ...flags, ...given } as Parameters<typeof linkageOf>[0]);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(codeOf({ method: 'top-code', p: 5 })).toBe('flag-of-other-method');
  expect(codeOf({ method: 'mdav', k: 1 })).toBe('invalid-linkage');
  expect(codeOf({ method: 'sample', link: 'conjunction', tolerate: 1 })).toBe('tolerate-in-conjunction');
});

it.each([
  [{ method: 'mdav', k: 1 }, '--k: expected a number from 2.'],
  [{ method: 'rank-swap', p: 0 }, '--p: expected a number above 0.'],
  [{ method: 'rank-swap', p: 100 }, '--p: expected a number below 100.'],
  [{ method: 'errors', errors: 1.5 }, '--errors: expected a number of at most 1.'],
  [{ method: 'noise', noise: -1, sample: 2 }, '--noise: expected a number above 0. --sample: expected a number below 1.'],
  [{ method: 'mdav', variables: [''] }, '--variables: expected names of variables, none of them empty.'],
])('mask names the range of the flag that is out of it alone: %j', (given, message) => {
  expect(() => maskingOf(given)).toThrow(expect.objectContaining({ code: 'invalid-masking', message }));
});
