import { formatFigure } from '../../shared/report/words/format-number.ts';
import type { HistogramBar } from '../../shared/table/describe/histogram-bars.ts';

const [WIDTH, HEIGHT] = [240, 60];

interface Props {
  readonly name: string;
  readonly bars: readonly HistogramBar[];
  /** Where bands begin. */
  readonly breaks: readonly number[];
}

/** How the numbers of a column are distributed, with lines where its bands begin. */
export function Histogram({ name, bars, breaks }: Props) {
  const [from, to] = [bars[0]!.from, bars.at(-1)!.to];
  const most = bars.reduce((a, b) => (b.records > a.records ? b : a));
  const x = (value: number) => (WIDTH * (value - from)) / (to - from);
  const label = `Histogram of ${name}, from ${formatFigure(from)} to ${formatFigure(to)}: most records from ${formatFigure(most.from)} to ${formatFigure(most.to)}`;
  return (
    <svg class="histogram" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      {bars.map((bar) => {
        const height = (HEIGHT * bar.records) / most.records;
        return <rect key={bar.from} x={x(bar.from)} y={HEIGHT - height} width={x(bar.to) - x(bar.from)} height={height} />;
      })}
      {breaks
        .filter((at) => at > from && at < to)
        .map((at) => (
          <line key={at} x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} />
        ))}
    </svg>
  );
}
