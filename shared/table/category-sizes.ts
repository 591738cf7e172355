import type { TableSchema } from '../contracts/schema.ts';

/** Numbers of categories of a schema of categorical variables. */
export function categorySizes(schema: TableSchema): number[] {
  return schema.variables.map((variable) => {
    if (variable.type !== 'categorical') throw new RangeError(`${variable.name} is not categorical`);
    return variable.categories.length;
  });
}

/** Index of each variable's first category when the categories of all variables are laid end to end. */
export function categoryOffsets(sizes: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(sizes.length + 1);
  for (const [k, size] of sizes.entries()) offsets[k + 1] = offsets[k]! + size;
  return offsets;
}
