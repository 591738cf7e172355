import { formatFigure } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart } from './chart.ts';

/** A value of each chain against a level that it is judged by. */
export interface ChainDots {
  values: readonly number[];
  /** Title of the vertical axis. */
  quantity: string;
  /** Height of the reference line. */
  reference: number;
  /** Whether the axis starts at zero, or as near to the values as they allow. */
  fromZero: boolean;
  label: string;
}

/** One dot a chain, in the order of the chains: a chain that differs from the others stands out. */
export function chainDotsChart({ values, quantity, reference, fromZero, label }: ChainDots): Chart {
  const y = { type: 'quantitative', title: quantity, scale: { zero: fromZero } } as const;
  return {
    table: { heads: ['Chain', quantity], rows: values.map((value, index) => [String(index + 1), formatFigure(value)]) },
    label,
    spec: {
      data: { values: values.map((value, index) => ({ chain: index + 1, value })) },
      layer: [
        {
          data: { values: [{ reference }] },
          mark: { type: 'rule', color: CHART_COLOURS.reference, strokeWidth: 2 },
          encoding: { y: { ...y, field: 'reference' } },
        },
        {
          mark: { type: 'point', filled: true, color: CHART_COLOURS.mark, size: 55, opacity: 1 },
          encoding: {
            x: {
              field: 'chain',
              type: 'quantitative',
              title: 'Chain',
              scale: { domainMin: 0, domainMax: values.length + 1, nice: false },
              axis: { tickMinStep: 1, tickCount: 8 },
            },
            y: { ...y, field: 'value' },
          },
        },
      ],
    },
  };
}
