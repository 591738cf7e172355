import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** How a vector stands in a file. */
interface StoredVector {
  readonly float64: number[];
}

/**
 * What a file holds, or else what is made now and stored there. Vectors of numbers come back as such, bit by bit.
 *
 * @param file a path; it is there only when it is whole
 */
export function storedOr<T>(file: string, make: () => T): T {
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, JSON.stringify(make(), storeVector));
    renameSync(`${file}.new`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8'), readVector);
}

function storeVector(_: string, value: unknown): unknown {
  return value instanceof Float64Array ? ({ float64: [...value] } satisfies StoredVector) : value;
}

function readVector(_: string, value: unknown): unknown {
  const isVector = typeof value === 'object' && value !== null && 'float64' in value;
  return isVector ? Float64Array.from((value as StoredVector).float64) : value;
}
