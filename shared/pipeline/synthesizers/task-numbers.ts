/** Whole numbers after `from`, up to `to`. */
export const numbersAfter = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i + 1);
