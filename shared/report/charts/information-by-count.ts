import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { formatCount, formatFigure } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, dot, listed, numbers, rule } from './chart.ts';

/** Lower ends of the groups of counts; sample uniques, the rarest, stand alone. */
const GROUP_STARTS = [1, 2, 3, 6, 11, 31, 101] as const;

/** Information of the rows whose combination so many records share: quantiles over rows, in bits. */
export interface InformationGroup {
  /** The counts in words: "1", "3–5", "101+". */
  counts: string;
  rows: number;
  lower: number;
  quarter: number;
  median: number;
  threeQuarters: number;
  upper: number;
  largest: number;
}

/** Quantiles (5, 25, 50, 75, 95 %) and largest value of the information by count; groups without members are left out. */
export function informationGroups({ columns }: AttributeRiskTable): InformationGroup[] {
  const { combination, count, information_bits } = columns;
  const shared = new Map<number, number>();
  combination.forEach((number, row) => {
    shared.set(number, (shared.get(number) ?? 0) + count[row]!);
  });
  return GROUP_STARTS.flatMap((start, index) => {
    const end = (GROUP_STARTS[index + 1] ?? Number.POSITIVE_INFINITY) - 1;
    const isMember = (row: number) => {
      const records = shared.get(combination[row]!)!;
      return records >= start && records <= end;
    };
    const bits = information_bits.filter((_, row) => isMember(row)).sort();
    if (bits.length === 0) return [];
    return [
      {
        counts: countsInWords(start, end),
        rows: bits.length,
        lower: quantile(bits, 0.05),
        quarter: quantile(bits, 0.25),
        median: quantile(bits, 0.5),
        threeQuarters: quantile(bits, 0.75),
        upper: quantile(bits, 0.95),
        largest: bits[bits.length - 1]!,
      },
    ];
  });
}

/** Information in bits against the number of records that share a combination: are rare ones more exposed? */
export function informationByCountChart(table: AttributeRiskTable): Chart {
  const groups = informationGroups(table);
  const x = {
    field: 'group',
    type: 'ordinal',
    sort: null,
    title: 'Records that share a combination',
    axis: { labelAngle: 0, labelExpr: "split(datum.label, '|')", ticks: false, labelPadding: 6 },
  } as const;
  const y = numbers('Information, bits');
  return {
    table: {
      heads: ['Shared by', 'Rows', '5 %', '25 %', 'Median', '75 %', '95 %', 'Largest'],
      rows: groups.map((own) => [
        own.counts,
        formatCount(own.rows),
        ...[own.lower, own.quarter, own.median, own.threeQuarters, own.upper, own.largest].map((bits) => formatFigure(bits)),
      ]),
    },
    label: listed(
      'Information by the number of records that share a combination.',
      groups.map((group) => `Shared by ${group.counts}: median ${formatFigure(group.median)} bits, largest ${formatFigure(group.largest)}`),
    ),
    spec: {
      data: { values: groups.map((group) => ({ ...group, group: `${group.counts}|(${formatCount(group.rows)})` })) },
      layer: [
        { mark: rule(CHART_COLOURS.quiet, 2), encoding: { x, y: y('lower'), y2: { field: 'upper' } } },
        { mark: { type: 'bar', color: CHART_COLOURS.quiet, size: 22 }, encoding: { x, y: y('quarter'), y2: { field: 'threeQuarters' } } },
        { mark: { type: 'tick', color: CHART_COLOURS.mark, thickness: 3, size: 22 }, encoding: { x, y: y('median') } },
        { mark: dot(CHART_COLOURS.mark, 34), encoding: { x, y: y('largest') } },
      ],
    },
  };
}

function countsInWords(start: number, end: number): string {
  if (end === Number.POSITIVE_INFINITY) return `${start}+`;
  return start === end ? `${start}` : `${start}–${end}`;
}

/** Quantile of sorted values, by linear interpolation between order statistics. */
function quantile(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (position - below);
}
