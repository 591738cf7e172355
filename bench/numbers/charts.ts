import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { COLOURS, chartSvg } from '../pages/chart-svg.ts';

/** Where heaps are looked at: bins of so many dollars. */
const HEAPS = { from: 20_000, to: 80_000, width: 500 };
/** Amounts that a tail is drawn from. */
const TAIL = { from: 100_000, to: 1_000_000, points: 60 };

/** A column of numbers of some files, one after the other. */
export function columnOf(files: readonly string[], name: string): Float64Array {
  return Float64Array.from(
    files.flatMap((file) => {
      const rows: Record<string, string>[] = parse(readFileSync(file), { columns: true, skip_empty_lines: true });
      return rows.map((row) => Number(row[name]));
    }),
  );
}

/** The datasets of a run in its folder. */
export const datasetsIn = (run: string, datasets: number) =>
  Array.from({ length: datasets }, (_, l) => join(run, 'release', `synthetic-${l + 1}.csv`));

/** What a density of normals does not have of incomes: heaps at round amounts, and how far the tail reaches; as SVG. */
export function incomeChart(series: Readonly<Record<string, Float64Array>>): Promise<string> {
  const names = Object.keys(series);
  const heaps = names.flatMap((name) => {
    const bins = new Float64Array((HEAPS.to - HEAPS.from) / HEAPS.width);
    for (const value of series[name]!) {
      const bin = Math.floor((value - HEAPS.from) / HEAPS.width);
      if (bin >= 0 && bin < bins.length) bins[bin]! += 1 / series[name]!.length;
    }
    return Array.from(bins, (share, bin) => ({ name, income: HEAPS.from + bin * HEAPS.width, share }));
  });
  const tails = names.flatMap((name) =>
    Array.from({ length: TAIL.points + 1 }, (_, i) => {
      const income = TAIL.from * (TAIL.to / TAIL.from) ** (i / TAIL.points);
      return { name, income: Math.round(income), share: series[name]!.filter((value) => value > income).length / series[name]!.length };
    }).filter(({ share }) => share > 0),
  );
  const color = { field: 'name', type: 'nominal', title: null, sort: names, scale: { range: COLOURS } } as const;
  const dollars = { field: 'income', type: 'quantitative' } as const;
  return chartSvg('Shares of incomes in bins of 500 dollars, and shares above an amount, in the table and in synthetic datasets', {
    hconcat: [
      {
        width: 330,
        height: 260,
        data: { values: heaps },
        mark: { type: 'line', strokeWidth: 1 },
        encoding: {
          x: { ...dollars, title: 'income, dollars', scale: { domain: [HEAPS.from, HEAPS.to] }, axis: { format: ',d' } },
          y: { field: 'share', type: 'quantitative', title: `share in ${HEAPS.width} dollars`, axis: { format: '.1%' } },
          color,
        },
      },
      {
        width: 330,
        height: 260,
        data: { values: tails },
        mark: { type: 'line', strokeWidth: 1.5 },
        encoding: {
          x: {
            ...dollars,
            title: 'income, dollars',
            scale: { type: 'log', domain: [TAIL.from, TAIL.to] },
            axis: { format: ',d', tickCount: 4 },
          },
          y: { field: 'share', type: 'quantitative', title: 'share above', scale: { type: 'log' }, axis: { format: '~%' } },
          color,
        },
      },
    ],
  });
}
