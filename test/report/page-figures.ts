import { unescapeHtml } from '../../shared/report/page/html.ts';
import { roundPercent, roundToError } from '../../shared/report/words/format-number.ts';

/** A figure of a page: where it says that it is from, and what it shows. */
export interface PageFigure {
  readonly place: string;
  readonly text: string;
}

/** Markup as text: no-break spaces as spaces, minus signs as hyphens. */
export function plainText(markup: string): string {
  return unescapeHtml(markup.replace(/<[^>]*>/g, ' '))
    .replaceAll('\u2212', '-')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Every figure of a page that names its place. */
export function figuresOf(page: string): PageFigure[] {
  // Spans inside are those of errors, which hold no other.
  const pattern = /<span data-of="([^"]*)">((?:[^<]|<span class="error">[^<]*<\/span>)*)<\/span>/g;
  return [...page.matchAll(pattern)].map(([, place, text]) => ({ place: plainText(place!), text: plainText(text!) }));
}

/** The page without the figures that name a place, charts and the tables behind them, commands and rules, scripts and style. */
export function unboundText(page: string): string {
  return plainText(
    page
      .replace(/<(svg|style|script|code)[\s>].*?<\/\1>/gs, ' ')
      .replace(/<details class="behind">.*?<\/details>/gs, ' ')
      .replace(/<span data-of="[^"]*">(?:[^<]|<span class="error">[^<]*<\/span>)*<\/span>/g, ' '),
  );
}

/** A number as a page shows it. */
interface Shown {
  readonly value: number;
  /** Half of what a digit more would tell. */
  readonly tolerance: number;
  readonly decimals: number;
}

function shownNumber(digits: string): Shown {
  const plain = digits.replaceAll(',', '');
  const [, decimalPart = ''] = plain.split('.');
  const decimals = decimalPart.length;
  const zeros = decimals > 0 || /^-?0$/.test(plain) ? 0 : (/0*$/.exec(plain)?.[0].length ?? 0);
  return { value: Number(plain), tolerance: 0.5 * 10 ** (zeros - decimals), decimals };
}

const NUMBER = /-?\d[\d,]*(?:\.\d+)?/g;

/** All numbers of a text. */
export function numbersIn(text: string): Shown[] {
  return [...text.matchAll(NUMBER)].map(([digits]) => shownNumber(digits));
}

const near = ({ value, tolerance }: Shown, actual: number) => Math.abs(value - actual) <= tolerance * (1 + 1e-9) + 1e-9 * Math.abs(actual);

/**
 * What is wrong with a figure that should show a value, with its standard error where it has one; null where nothing is. Shares
 * may be shown in percent.
 */
export function faultOf(text: string, actual: number, standardError: number | null): string | null {
  if (/^(?:<|> -)/.test(text)) return Math.abs(actual) < 1e-9 ? null : `${actual} is not nearly zero`;
  if (/^> \d/.test(text)) return actual >= 1e12 ? null : `${actual} is not that large`;
  const scale = text.includes('%') ? 100 : 1;
  const [figure, error] = numbersIn(text);
  if (figure === undefined) return 'shows no number';
  if (!near(figure, scale * actual)) return `is ${scale * actual}`;
  const errorShown = text.includes('±');
  if (!errorShown) return null;
  if (standardError === null) return 'has no error';
  if (error === undefined || !near(error, scale * standardError)) return `has the error ${standardError}`;
  const [digits] = (scale === 100 ? roundPercent : roundToError)(scale * actual, scale * standardError);
  return figure.decimals === shownNumber(digits).decimals ? null : `has more digits than ${digits}`;
}

/** The value at a place of a document (RFC 6901), and its standard error beside it. */
export function valueAt(document: unknown, pointer: string): { value: unknown; standardError: number | null } {
  const path = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = path.pop()!;
  let at = document as Record<string, unknown>;
  // Errors of a whole object of figures are beside it, under the same names.
  let errors: unknown;
  for (const step of path) {
    errors = at[`${step}Se`];
    at = at[step] as Record<string, unknown>;
  }
  // Of matching the mean over datasets has their spread beside it, under the same name.
  const above = path.at(-1) === 'mean' ? valueAt(document, `/${path.slice(0, -1).join('/')}/standardDeviation`) : null;
  const spread = (above?.value as Record<string, unknown> | null | undefined)?.[last];
  const ofObject = (errors as Record<string, unknown> | null | undefined)?.[last];
  const error = at[`${last}Se`] ?? ofObject ?? (last === 'mean' ? at.standardError : spread);
  return { value: at[last], standardError: typeof error === 'number' ? error : null };
}

/** All numbers anywhere in a document. */
export function allNumbers(document: unknown): number[] {
  if (typeof document === 'number') return [document];
  if (typeof document !== 'object' || document === null) return [];
  return Object.values(document).flatMap(allNumbers);
}
