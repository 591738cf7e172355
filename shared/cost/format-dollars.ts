/** Of less than this a number with two digits would need an exponent. */
const LEAST = 1e-6;

/** An amount of money, with as many digits as say something of it, and never $0.00 for something. */
export function formatDollars(dollars: number): string {
  if (dollars > 0 && dollars < LEAST) return 'less than $0.000001';
  return `$${dollars === 0 || dollars >= 0.095 ? dollars.toFixed(2) : dollars.toPrecision(2)}`;
}
