/** Where variates come from: whatever gives uniform numbers. */
export interface RandomSource {
  /** Uniform on the open interval (0, 1): odd multiples of 2^-53, so neither end can appear. */
  uniform(): number;
  /** Uniform whole number in [0, bound), for bound up to 2^31. */
  below(bound: number): number;
}

/** A uniform number of 52 bits from two words of 32. */
export const uniformOfWords = (high: number, low: number): number => ((high >>> 6) * 67108864 + (low >>> 6) + 0.5) * 2.220446049250313e-16;
