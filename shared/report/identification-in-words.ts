import type { Radius } from '../contracts/identification.ts';
import { formatPlain } from './format-number.ts';

/** What matching takes for granted. */
export const ROW_ORDER_ASSUMED =
  'Row i of each dataset is taken to be record i of the table. Kept variables were compared row by row; an order among records that share all kept values cannot be seen.';

/** A radius: `10 %`, or `500` in the units of its variable. */
export function radiusInWords(radius: Radius): string {
  return 'absolute' in radius ? formatPlain(radius.absolute) : `${formatPlain(100 * radius.relative)} %`;
}
