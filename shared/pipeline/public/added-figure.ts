import type { AddedFigure, PublicFigure } from '../../contracts/release/public-summary.ts';
import { roundErrorUp, roundToMultiple } from './noised-figure.ts';

/** Errors by which two noised figures have to differ before the page says that they do. */
const ERRORS_APART = 2;

/** A figure with and without the release, as the page tells it. */
export interface ToldPair {
  readonly after: PublicFigure;
  readonly added: AddedFigure;
}

/**
 * What a page says of a pair of figures, without the release and with it. It follows from the noised figures alone, so
 * that it tells nothing which they do not tell; whether the exact figures differ is never asked.
 *
 * A release can add to what an intruder knows, and on average takes nothing from it. A figure that falls, or rises by
 * less than two errors, is therefore the work of the errors: the figure with the release is left out, and the page bounds what
 * the release adds. The bound starts at zero where the figures fall, since noise that lowers one of them makes no release
 * safer: it is two errors at least, and so above the true difference in at least 95 % of pages.
 *
 * @param before, after noised figures; one that is not told leaves both its difference and its bound untold
 */
export function tellPair(before: PublicFigure, after: PublicFigure): ToldPair {
  if (before.value === null) return { after, added: { ...before, atMost: null } };
  if (after.value === null) return { after, added: { ...after, atMost: null } };
  // Noise is independent; the errors of the figures themselves need not be, so that the sum bounds that of the difference.
  const error = roundErrorUp(before.error + after.error);
  const unit = Math.min(before.error, after.error);
  const value = roundToMultiple(after.value - before.value, unit);
  const highest = Math.max(0, value) + ERRORS_APART * error;
  const atMost = Math.min(1, roundToMultiple(Math.ceil(highest / error - 1e-9) * error, error));
  if (value > ERRORS_APART * error) return { after, added: { value, error, atMost } };
  const reason = 'noise and errors are as large as the difference';
  return { after: { value: null, error: null, reason }, added: { value: null, error: null, reason, atMost } };
}
