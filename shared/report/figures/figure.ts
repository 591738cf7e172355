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
  roundToError,
} from '../words/format-number.ts';
import { placeOf } from './sources.ts';

/** The members of an object that are numbers, or may be. */
export type Measured<Of> = {
  [Key in keyof Of]-?: number extends NonNullable<Of[Key]> ? Key : never;
}[keyof Of] &
  string;

/** A figure with the place that it is from, for whoever checks the page against its files. */
export function bound(place: string | undefined, text: string): Html {
  return place === undefined ? html`${text}` : html`<span data-of="${place}">${text}</span>`;
}

/** A figure that is counted or summed for the page, by the name of how. */
export function derived(name: string, text: string): Html {
  return bound(`derived#/${name}`, text);
}

/** What stands in the place of a figure that there is not. */
const NONE = 'not defined';

/** A member of an object with its standard error, which the contracts call like it with `Se` at the end. */
function memberOf<Of extends object>(of: Of, key: Measured<Of>): [number | null, number | null] {
  const numbers = of as Readonly<Record<string, number | null | undefined>>;
  return [numbers[key] ?? null, numbers[`${key}Se`] ?? null];
}

function shown<Of extends object>(of: Of, key: Measured<Of>, words: (value: number, standardError: number | null) => string): Html {
  const [value, standardError] = memberOf(of, key);
  return value === null ? html`${NONE}` : bound(placeOf(of, key), words(value, standardError));
}

/** 0.912 ± 0.034, or 0.912 where it has no error. */
export function estimate<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, formatMeasured);
}

/** 0.912, to what its error supports. */
export function supported<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, formatSupported);
}

/** The same to what another error supports, as of a number of records by that of its share. */
export function supportedBy<Of extends object>(of: Of, key: Measured<Of>, standardError: number): Html {
  return shown(of, key, (value) => formatSupported(value, standardError));
}

/** A share as 91.2 %, to what its error supports. */
export function percent<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, formatPercent);
}

/** A share as 91.2 ± 3.4 %. */
export function percentEstimate<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, (value, error) => (error === null || error === 0 ? formatPercent(value) : formatPercentEstimate(value, error)));
}

/** A figure without an error: 0.912. */
export function figure<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, (value) => formatFigure(value));
}

/** A whole number in full: 7,014. */
export function count<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, (value) => formatCount(value));
}

/** A count with its noun: 7,014 records. */
export function quantity<Of extends object>(of: Of, key: Measured<Of>, singular: string, plural?: string): Html {
  return shown(of, key, (value) => formatQuantity(value, singular, plural));
}

/** A rank of the truth. */
export function rank<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, (value) => formatRank(value));
}

/** What an acceptance rule is held against. */
export function ruled<Of extends object>(of: Of, key: Measured<Of>): Html {
  return shown(of, key, (value) => formatRuled(value));
}

/** A figure of a card: the number large, its error small. */
export function headline<Of extends object>(of: Of, key: Measured<Of>, unit: 'percent' | null = null): Html {
  const scale = unit === 'percent' ? 100 : 1;
  return shownParts(of, key, scale, unit === 'percent' ? '\u00a0%' : '');
}

function shownParts<Of extends object>(of: Of, key: Measured<Of>, scale: number, unit: string): Html {
  const [value, error] = memberOf(of, key);
  if (value === null) return html`${NONE}`;
  const place = placeOf(of, key);
  if (error === null || error === 0) {
    return bound(place, unit === '' ? formatFigure(value) : formatPercent(value));
  }
  const [rounded, roundedError] = roundToError(scale * value, scale * error);
  return boundParts(place, rounded, roundedError, unit);
}

/** A figure and its error, which is set smaller, with the place that they are from. */
export function boundParts(place: string | undefined, figure: string, error: string, unit: string): Html {
  const parts = html`${figure}<span class="error"> ±\u00a0${error}${unit}</span>`;
  return place === undefined ? parts : html`<span data-of="${place}">${parts}</span>`;
}
