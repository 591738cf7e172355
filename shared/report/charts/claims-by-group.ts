import type { StoredCalibration } from '../../contracts/results/calibration.ts';
import { formatEstimate, formatSupported } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/**
 * Claimed against achieved information for groups of targets by what is claimed for them, with two standard errors of
 * the difference to either side. Points of a calibrated estimate lie about the diagonal.
 */
export function claimsByGroupChart({ byClaim }: Pick<StoredCalibration, 'byClaim'>): Chart {
  const values = byClaim.map(({ group, claimedBits, achievedBits, excessBits, excessBitsSe }) => ({
    group,
    claimedBits,
    achievedBits,
    excessBits,
    excessBitsSe,
    low: achievedBits - 2 * excessBitsSe,
    high: achievedBits + 2 * excessBitsSe,
  }));
  const largest = Math.max(...values.map(({ claimedBits }) => claimedBits));
  const axis = { grid: true, tickCount: 5, format: '~g' } as const;
  const x = { type: 'quantitative', title: 'Claimed, bits a record', scale: { zero: true }, axis } as const;
  const y = { type: 'quantitative', title: 'Achieved, bits a record', scale: { zero: true }, axis } as const;
  return {
    table: {
      heads: ['Group', 'Claimed, bits a record', 'Achieved', 'Claimed less achieved'],
      rows: values.map((own) => [
        String(own.group),
        formatSupported(own.claimedBits, own.excessBitsSe),
        formatSupported(own.achievedBits, own.excessBitsSe),
        formatEstimate(own.excessBits, own.excessBitsSe),
      ]),
    },
    label: `${values
      .map(
        ({ group, claimedBits, achievedBits, excessBitsSe }) =>
          `Group ${group}: claimed ${formatEstimate(claimedBits, excessBitsSe)}, achieved ${formatEstimate(achievedBits, excessBitsSe)} bits`,
      )
      .join('; ')}.`,
    spec: {
      layer: [
        {
          data: { values: [{ at: 0 }, { at: largest }] },
          mark: { type: 'line', color: CHART_COLOURS.reference, strokeWidth: 2 },
          encoding: { x: { ...x, field: 'at' }, y: { ...y, field: 'at' } },
        },
        {
          data: { values },
          mark: { type: 'rule', color: CHART_COLOURS.quiet, strokeWidth: 3 },
          encoding: { x: { ...x, field: 'claimedBits' }, y: { ...y, field: 'low' }, y2: { field: 'high' } },
        },
        {
          data: { values },
          mark: { type: 'point', filled: true, color: CHART_COLOURS.mark, size: 60, opacity: 1 },
          encoding: { x: { ...x, field: 'claimedBits' }, y: { ...y, field: 'achievedBits' } },
        },
      ],
    },
  };
}
