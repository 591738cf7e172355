/** The locale is fixed, so that a report has the same bytes on every machine. */
const LOCALE = 'en-US';

/** Keeps a number and its unit on one line. */
const NO_BREAK_SPACE = '\u00a0';

/** Significant digits of a figure that has no error of its own, and of an error. */
const FIGURE_DIGITS = 3;
const ERROR_DIGITS = 2;

/** An error below this share of its figure counts as none: it is that of rounding, or of a simulation that agreed. */
const NEGLIGIBLE = 1e-6;

/** A figure nearer to zero has too many zeros to be read: it is shown as below this. */
const READABLE = 1e-9;

/** A figure from here on has too many to be read as well: it is shown as above this. */
export const BEYOND_READING = 1e12;

const MIB_A_GIB = 1024;

/** What `Intl.NumberFormat` can do at most. */
const MAX_DECIMALS = 20;

/**
 * A whole number that is public or chosen, with thousands separators: 7,014. Fractions are rounded. Of a number that has too
 * many digits to be read, such as the cells of a wide table, two: about 1.3 × 10^36.
 */
export function formatCount(value: number): string {
  if (Math.abs(value) < BEYOND_READING || !Number.isFinite(value)) return formatDecimals(value, 0);
  const [digits, exponent] = value.toExponential(1).split('e+');
  return `about ${digits!.replace('-', '\u2212')} × 10^${exponent}`;
}

/** Memory or disk in the unit that leaves few digits: 850 MiB, 3.2 GiB. Takes MiB. */
export function formatMemory(mebibytes: number): string {
  return mebibytes < MIB_A_GIB - 0.5
    ? `${formatCount(mebibytes)}${NO_BREAK_SPACE}MiB`
    : `${format(mebibytes / MIB_A_GIB, { maximumFractionDigits: 1 })}${NO_BREAK_SPACE}GiB`;
}

/** A setting, or another number that is public: up to four significant digits, no trailing zeros. */
export function formatSetting(value: number): string {
  return format(value, { maximumSignificantDigits: 4 });
}

/**
 * A figure without an error: three significant digits, never in exponents: 0.0570, 31.5, 1,230. A whole number has no
 * decimals, of one that is nearly zero it is said that it is below 0.000000001, and of a very large one that it is above
 * 1,000,000,000,000.
 */
export function formatFigure(value: number): string {
  if (value !== 0 && Math.abs(value) < READABLE) return `${value < 0 ? '> \u2212' : '< '}0.000000001`;
  if (Math.abs(value) >= BEYOND_READING) return `${value < 0 ? '< ' : '> '}${format(Math.sign(value) * BEYOND_READING, {})}`;
  return format(value, { minimumSignificantDigits: Number.isInteger(value) ? 1 : FIGURE_DIGITS, maximumSignificantDigits: FIGURE_DIGITS });
}

/**
 * A share of one as a percentage: to one decimal, or fewer where its standard error supports no more; below 0.1 % to two
 * significant digits.
 */
export function formatPercent(share: number, standardError: number | null = null): string {
  const percent = share * 100;
  const isSupported = standardError === null || 100 * standardError < 1;
  return `${isSupported ? plainPercent(percent) : roundPercent(percent, 100 * standardError)[0]}${NO_BREAK_SPACE}%`;
}

function plainPercent(percent: number): string {
  if (percent > 0 && percent < READABLE) return formatFigure(percent);
  return percent > 0 && percent < 0.1 ? format(percent, { maximumSignificantDigits: 2 }) : formatDecimals(percent, 1);
}

/**
 * A percentage and its standard error, as {@link roundToError} does but to one decimal at most. An error that would be 0.0 then
 * keeps one significant digit, and the percentage as many decimals.
 */
export function roundPercent(percent: number, standardError: number): [percent: string, error: string] {
  if (standardError <= NEGLIGIBLE * Math.abs(percent)) return [plainPercent(percent), '0'];
  if (standardError >= 1) return roundToError(percent, standardError);
  const decimals = standardError >= 0.05 ? 1 : -Number(standardError.toExponential(0).split('e')[1]);
  return [formatDecimals(percent, decimals), formatDecimals(standardError, decimals)];
}

/** What an acceptance rule is held against: a count in full, another figure as {@link formatFigure} does. */
export function formatRuled(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : formatFigure(value);
}

/** A rank: up to three significant digits, with one decimal where ties share their mean. */
export function formatRank(rank: number): string {
  return format(rank, { maximumSignificantDigits: FIGURE_DIGITS });
}

/**
 * A figure and its standard error, as many digits of both as the error supports: two of the error, and the figure to the
 * same decimal place, `0.912` and `0.034`, `54,320` and `120`. An error of none leaves what {@link formatFigure} does. This
 * is the one rule by which a person reads figures; files that programs read have all digits, and are confidential.
 */
export function roundToError(figure: number, standardError: number): [figure: string, error: string] {
  const isNegligible = (error: number, of: number) => error <= NEGLIGIBLE * Math.abs(of);
  if (isNegligible(standardError, figure)) return [formatFigure(figure), '0'];
  if (Math.abs(figure) >= BEYOND_READING) return [formatFigure(figure), formatFigure(standardError)];
  const exponent = Number(standardError.toExponential(ERROR_DIGITS - 1).split('e')[1]);
  const decimals = ERROR_DIGITS - 1 - exponent;
  const shown: [string, string] = [formatDecimals(figure, decimals), formatDecimals(standardError, decimals)];
  // What is rounded already must be shown the same, so that the rounded numbers count as well.
  return isNegligible(numberIn(shown[1]), numberIn(shown[0])) ? [formatFigure(figure), '0'] : shown;
}

/** The number that a formatted text shows; NaN for a text that only bounds it. */
export const numberIn = (text: string): number => Number(text.replaceAll(',', '').replace('\u2212', '-'));

/** A figure alone, to what its standard error supports; null for none. A whole number has no decimals. */
export function formatSupported(figure: number, standardError: number | null): string {
  if (standardError === null) return formatFigure(figure);
  const [rounded] = roundToError(figure, standardError);
  return Number.isInteger(figure) ? rounded.replace(/\.0+$/, '') : rounded;
}

/** A figure with its standard error, as {@link roundToError} rounds both: 0.912 ± 0.034. */
export function formatEstimate(figure: number, standardError: number): string {
  const [rounded, error] = roundToError(figure, standardError);
  return `${rounded}${NO_BREAK_SPACE}±${NO_BREAK_SPACE}${error}`;
}

/** The same of a figure that may have no error, or be exact: 0.912 then. */
export function formatMeasured(figure: number, standardError: number | null): string {
  return standardError === null || standardError === 0 ? formatFigure(figure) : formatEstimate(figure, standardError);
}

/** A share of one with its standard error, as a percentage: 10.3 ± 0.4 %. */
export function formatPercentEstimate(share: number, standardError: number): string {
  const [rounded, error] = roundPercent(100 * share, 100 * standardError);
  return `${rounded}${NO_BREAK_SPACE}±${NO_BREAK_SPACE}${error}${NO_BREAK_SPACE}%`;
}

/** "1 record", "7,014 records": a count with its noun. */
export function formatQuantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)}${NO_BREAK_SPACE}${count === 1 ? singular : plural}`;
}

/** A number with so many decimals; negative ones round to tens, hundreds and so on. */
function formatDecimals(value: number, decimals: number): string {
  const unit = 10 ** -Math.min(decimals, 0);
  const shown = Math.min(Math.max(decimals, 0), MAX_DECIMALS);
  return format(decimals < 0 ? unit * Math.round(value / unit) : value, { minimumFractionDigits: shown, maximumFractionDigits: shown });
}

/** Formats by their digits: making one takes longer than formatting a hundred numbers. */
const formats = new Map<string, Intl.NumberFormat>();

/** The hyphen that stands for minus is replaced by the sign, which lines up with the digits; zero has none. */
function format(value: number, digits: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(digits);
  const known = formats.get(key) ?? new Intl.NumberFormat(LOCALE, { ...digits, signDisplay: 'negative' });
  formats.set(key, known);
  return known.format(value).replace('-', '\u2212');
}
