import type { Radius } from '../../contracts/config/identification-scenario.ts';
import { namesInWords } from '../../contracts/in-command.ts';
import type { AppliedIdentificationRisk } from '../../contracts/results/identification.ts';
import { formatSetting } from './format-number.ts';

/** What matching takes for granted. */
export const ROW_ORDER_ASSUMED =
  'Row i of each dataset is taken to be record i of the table. Kept variables were compared row by row; an order among records that share all kept values cannot be seen.';

/** A radius: `10 %`, or `500` in the units of its variable. */
export function radiusInWords(radius: Radius): string {
  return 'absolute' in radius ? formatSetting(radius.absolute) : `${formatSetting(100 * radius.relative)} %`;
}

/** A caution where the radius of most risk is at an end of those that were tried; null where it lies between. */
export function sweepCaution({ variables, points, maximum }: Sweep): string | null {
  const shares = (name: string) => points.map(({ radii }) => Object.values(radii[name]!)[0]!);
  const atEnd = variables.filter((name) => {
    const tried = shares(name);
    const most = tried[maximum]!;
    return most === Math.max(...tried) || most === Math.min(...tried);
  });
  if (atEnd.length === 0) return null;
  return `The radius of most risk is at an end of those tried for ${namesInWords(atEnd)}: try radii beyond it, since one of them may find more.`;
}

/** A sweep that was made. */
export type Sweep = NonNullable<AppliedIdentificationRisk['sweep']>;
