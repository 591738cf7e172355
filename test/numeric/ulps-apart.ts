const view = new DataView(new ArrayBuffer(8));

/** Position of a double among all doubles in order: -0 and 0 share one, neighbours differ by 1. */
function position(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
}

/**
 * How many doubles lie between two values, the one of them counted: 0 for equal values, 1 for neighbours.
 * NaN is Infinity away from everything.
 */
export function ulpsApart(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Infinity;
  const distance = position(a) - position(b);
  return Number(distance < 0n ? -distance : distance);
}

/** The double that lies `steps` doubles above a value (below, when negative). */
export function stepUlps(value: number, steps: number): number {
  const target = position(value) + BigInt(steps);
  view.setBigInt64(0, target < 0n ? -target | -0x8000000000000000n : target);
  return view.getFloat64(0);
}

/** Entries further from the reference than some units in the last place. */
export function beyondUlps(references: readonly (readonly [number, number])[], compute: (x: number) => number, ulps: number) {
  return references
    .map(([x, expected]) => ({ x, expected, found: compute(x) }))
    .filter(({ expected, found }) => !(ulpsApart(expected, found) <= ulps));
}
