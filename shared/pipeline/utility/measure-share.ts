import type { OnUnits } from '../../contracts/stepwise.ts';
import type { PreparedUtility } from '../../utility/prepare-utility.ts';
import { listedParts } from '../../utility/utility-parts.ts';

/** Shares into which a measurement of utility is cut at most, beside parts that are no smaller: each is handed to a thread. */
const MOST_SHARES = 64;

/** A share of a measurement of utility: its parts from one place to before another. What is measured lies in memory that threads share. */
export interface UtilityShare {
  readonly step: 'measure';
  readonly prepared: PreparedUtility;
  readonly from: number;
  readonly to: number;
}

/** Cuts a measurement, prepared in memory that threads share, into shares in the order of its parts, with the units of work of each. */
export function cutUtility(prepared: PreparedUtility): { readonly shares: UtilityShare[]; readonly units: number[] } {
  const parts = listedParts(prepared);
  const least = parts.reduce((sum, part) => sum + part.units, 0) / MOST_SHARES;
  const shares: UtilityShare[] = [];
  const units: number[] = [];
  let [from, within] = [0, 0];
  for (const [place, part] of parts.entries()) {
    within += part.units;
    if (within < least && place + 1 < parts.length) continue;
    shares.push({ step: 'measure', prepared, from, to: place + 1 });
    units.push(within);
    [from, within] = [place + 1, 0];
  }
  return { shares, units };
}

/** Measures a share: what each of its parts finds. */
export function measureShare({ prepared, from, to }: UtilityShare, onUnits: OnUnits): unknown[] {
  return listedParts(prepared)
    .slice(from, to)
    .map(({ units, measure }) => {
      const found = measure();
      onUnits(units);
      return found;
    });
}

/** Data as it is, with its arrays of numbers in memory that threads share: each of them once, wherever it is held. */
export function inSharedMemory<Data>(data: Data): Data {
  const copies = new Map<object, unknown>();
  const copyOf = (value: object): unknown => {
    if (value instanceof Set || value instanceof Map) return value;
    if (Array.isArray(value)) return value.map(copied);
    if (!ArrayBuffer.isView(value)) return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, copied(own)]));
    const numbers = value as Uint8Array;
    const Numbers = numbers.constructor as new (memory: SharedArrayBuffer) => Uint8Array;
    const shared = new Numbers(new SharedArrayBuffer(numbers.byteLength));
    shared.set(numbers);
    return shared;
  };
  const copied = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (!copies.has(value)) copies.set(value, copyOf(value));
    return copies.get(value);
  };
  return copied(data) as Data;
}
