import { expect } from 'vitest';

// Equal bytes are equal: Vitest would look each of them up by its name, a second for a megabyte. What differs is left to it.
expect.addEqualityTesters([
  (a: unknown, b: unknown) =>
    a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor && Buffer.compare(a, b) === 0 ? true : undefined,
]);
