/** The locale is fixed, so that a report has the same bytes on every machine. */
const LOCALE = 'en-US';

/** Keeps a number and its unit on one line. */
const NO_BREAK_SPACE = '\u00a0';

const MAX_DECIMALS = 8;

/** A whole number with thousands separators: 7,014. Fractions are rounded. */
export function formatCount(value: number): string {
  return formatFixed(value, 0);
}

/** A number with a fixed number of decimals and thousands separators: 1,204.50. */
export function formatFixed(value: number, decimals: number): string {
  return format(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** A number to so many significant digits, never in exponents: 0.0570, 31.5, 1,230. */
export function formatSignificant(value: number, digits: number): string {
  return format(value, { minimumSignificantDigits: digits, maximumSignificantDigits: digits });
}

/** A number of unknown kind, a setting or a count or a share: up to four significant digits, no trailing zeros. */
export function formatPlain(value: number): string {
  return format(value, { maximumSignificantDigits: 4 });
}

/** A share of one as a percentage: one decimal, or two significant digits below 0.1 %. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  const digits = percent > 0 && percent < 0.1 ? formatSignificant(percent, 2) : formatFixed(percent, 1);
  return `${digits}${NO_BREAK_SPACE}%`;
}

/** A rank: whole, or with one decimal where ties share their mean. */
export function formatRank(rank: number): string {
  return format(rank, { maximumFractionDigits: 1 });
}

/**
 * An estimate with its standard error: the error to two significant digits, the estimate to the same
 * decimals, 0.912 ± 0.034. An error of exactly zero leaves three significant digits of the estimate.
 */
export function formatEstimate(estimate: number, standardError: number): string {
  return estimateParts(estimate, standardError).join(NO_BREAK_SPACE);
}

/** The two parts of {@link formatEstimate}, `0.912` and `± 0.034`, to be set apart. */
export function estimateParts(estimate: number, standardError: number): [string, string] {
  const plusMinus = `±${NO_BREAK_SPACE}`;
  if (standardError === 0) return [formatSignificant(estimate, 3), `${plusMinus}0`];
  const exponent = Number(standardError.toExponential(1).split('e')[1]);
  const decimals = Math.min(Math.max(1 - exponent, 0), MAX_DECIMALS);
  return [formatFixed(estimate, decimals), `${plusMinus}${formatFixed(standardError, decimals)}`];
}

/** "1 record", "7,014 records": a count with its noun. */
export function formatQuantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)}${NO_BREAK_SPACE}${count === 1 ? singular : plural}`;
}

/** The hyphen that stands for minus is replaced by the sign, which lines up with the digits. */
function format(value: number, digits: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(LOCALE, digits).format(value).replace('-', '\u2212');
}
