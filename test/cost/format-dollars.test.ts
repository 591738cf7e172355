import { expect, it } from 'vitest';
import { formatDollars } from '../../shared/cost/format-dollars.ts';

it.each([
  [0, '$0.00'],
  [65.8, '$65.80'],
  [0.0951, '$0.10'],
  [0.0123, '$0.012'],
  [0.00004, '$0.000040'],
  [0.000001, '$0.0000010'],
  [9e-7, 'less than $0.000001'],
  [1e-300, 'less than $0.000001'],
])('an amount of %d dollars is %s, never nothing where it is something', (dollars, text) => {
  expect(formatDollars(dollars)).toBe(text);
});
