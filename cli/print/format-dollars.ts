/** An amount of money, with as many digits as say something of it. */
export function formatDollars(dollars: number): string {
  return `$${dollars === 0 || dollars >= 0.095 ? dollars.toFixed(2) : dollars.toPrecision(2)}`;
}
