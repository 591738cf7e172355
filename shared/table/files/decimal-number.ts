const DECIMAL_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number that a cell writes in decimal notation, with a point and an optional exponent.
 * NaN when the text is anything else: empty, padded with spaces, hexadecimal, `Infinity`, beyond a double.
 */
export function decimalNumber(text: string): number {
  if (!DECIMAL_NUMBER.test(text)) return Number.NaN;
  const value = Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}
