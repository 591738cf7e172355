import { type Html, html } from '../page/html.ts';
import {
  formatCount,
  formatFigure,
  formatMeasured,
  formatPercent,
  formatPercentEstimate,
  formatQuantity,
  formatRank,
  formatRuled,
  formatSupported,
  roundPercent,
  roundToError,
} from '../words/format-number.ts';

/** The members of an object that are numbers, or may be. */
export type Measured<Of> = {
  [Key in keyof Of]-?: number extends NonNullable<Of[Key]> ? Key : never;
}[keyof Of] &
  string;

/** Where each object of a document stands that a page is made from. An object that is gone leaves nothing here. */
const places = new WeakMap<object, string>();

/**
 * Gives every object of a document its place, `summary.json#/attributeRisk/0` (RFC 6901), so that figures of it can say on
 * the page where they are from.
 */
export function nameSource(file: string, document: object): void {
  nameBelow(`${file}#`, document);
}

function nameBelow(place: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  places.set(value, place);
  for (const [key, one] of Object.entries(value)) {
    nameBelow(`${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, one);
  }
}

/** The place of a member of an object; undefined where the object is of no named document. */
function placeOf(object: object, key: string): string | undefined {
  const place = places.get(object);
  return place === undefined ? undefined : `${place}/${key}`;
}

/** A figure with the place that it is from, for whoever checks the page against its files. */
export function bound(place: string | undefined, figure: string | Html): Html {
  return place === undefined ? html`${figure}` : html`<span data-of="${place}">${figure}</span>`;
}

/** A member of an object in words of their own. */
export const worded = (of: object, key: string, words: string | Html): Html => bound(placeOf(of, key), words);

/** A figure that is counted or summed for the page, by the name of how. */
export function derived(name: string, text: string): Html {
  return bound(`derived#/${name}`, text);
}

/**
 * A member of an object in words; its standard error is the member that the contracts call like it with `Se` at the end, or where
 * that is not known over releases the part of simulation (`errors-in-words.ts` says which it is).
 */
function shown<Of extends object>(of: Of, key: Measured<Of>, words: (value: number, standardError: number | null) => string | Html): Html {
  const numbers = of as Readonly<Record<string, number | null | undefined>>;
  const value = numbers[key] ?? null;
  return value === null ? html`not defined` : worded(of, key, words(value, numbers[`${key}Se`] ?? numbers[`${key}SimulationSe`] ?? null));
}

const shownAs =
  (words: (value: number, standardError: number | null) => string) =>
  <Of extends object>(of: Of, key: Measured<Of>): Html =>
    shown(of, key, words);

/** 0.912 ± 0.034, or 0.912 where it has no error. */
export const estimate = shownAs(formatMeasured);

/** 0.912, to what its error supports. */
export const supported = shownAs(formatSupported);

/** The same to what another error supports, as of a number of records by that of its share. */
export function supportedBy<Of extends object>(of: Of, key: Measured<Of>, standardError: number): Html {
  return shown(of, key, (value) => formatSupported(value, standardError));
}

/** A share as 91.2 %, to what its error supports. */
export const percent = shownAs(formatPercent);

/** A share as 91.2 ± 3.4 %. */
export const percentEstimate = shownAs((value, error) =>
  error === null || error === 0 ? formatPercent(value) : formatPercentEstimate(value, error),
);

/** A figure without an error: 0.912. */
export const figure = shownAs((value) => formatFigure(value));

/** A figure whose error is in another object under its own name: 0.912 ± 0.034, or 91.2 ± 3.4 %; without the error where it has none. */
export function withError<Of extends object>(of: Of, key: Measured<Of>, errors: object | null, unit: 'number' | 'percent'): Html {
  const error = (errors as Readonly<Record<string, number | null>> | null)?.[key];
  if (!error) return unit === 'percent' ? percent(of, key) : figure(of, key);
  return shown(of, key, (value) => (unit === 'percent' ? formatPercentEstimate(value, error) : formatMeasured(value, error)));
}

/** A whole number in full: 7,014. */
export const count = shownAs((value) => formatCount(value));

/** A count with its noun: 7,014 records. */
export function quantity<Of extends object>(of: Of, key: Measured<Of>, singular: string, plural?: string): Html {
  return shown(of, key, (value) => formatQuantity(value, singular, plural));
}

/** A rank of the truth. */
export const rank = shownAs((value) => formatRank(value));

/** What an acceptance rule is held against. */
export const ruled = shownAs((value) => formatRuled(value));

/** A figure of a card: the number large, its error small. */
export function headline<Of extends object>(of: Of, key: Measured<Of>, unit: 'percent' | null = null): Html {
  return shown(of, key, (value, error) => {
    if (error === null || error === 0) return unit === 'percent' ? formatPercent(value) : formatFigure(value);
    return unit === 'percent' ? small(roundPercent(100 * value, 100 * error), '\u00a0%') : withSmallError(value, error);
  });
}

/** A figure and its error, which is set smaller. */
export const withSmallError = (value: number, standardError: number): Html => small(roundToError(value, standardError));

const small = ([rounded, error]: readonly [string, string], unit = ''): Html =>
  html`${rounded}<span class="error"> ±\u00a0${error}${unit}</span>`;
