/** Significant digits of a figure without an error, and of an error, as `format-number.ts` shows them. */
const FIGURE_DIGITS = 3;
const ERROR_DIGITS = 2;

/** An error below this share of its figure counts as none. */
const NEGLIGIBLE = 1e-6;

/** Decimals that a number can have in JavaScript. */
const MAX_DECIMALS = 100;

/** A figure without an error, as a page shows it: three significant digits; a whole number stays as it is. */
export function rounded(figure: number): number {
  if (Number.isSafeInteger(figure)) return figure;
  const digits = Number(figure.toPrecision(FIGURE_DIGITS));
  // The largest of all numbers would become more than any.
  return Number.isFinite(digits) ? digits : figure;
}

/** A number to so many decimals; negative ones round to tens, hundreds and so on. */
function toDecimals(value: number, decimals: number): number {
  if (decimals < 0) return 10 ** -decimals * Math.round(value / 10 ** -decimals);
  return Number(value.toFixed(Math.min(decimals, MAX_DECIMALS)));
}

/**
 * A figure and its error as a page shows them: two digits of the error, and the figure to the same decimal place. What is so
 * rounded is shown as what it was rounded from.
 */
export function roundedToError(figure: number, error: number): readonly [figure: number, error: number] {
  if (!(error > NEGLIGIBLE * Math.abs(figure))) return [rounded(figure), 0];
  const exponent = Number(error.toExponential(ERROR_DIGITS - 1).split('e')[1]);
  const decimals = ERROR_DIGITS - 1 - exponent;
  return [toDecimals(figure, decimals), toDecimals(error, decimals)];
}
