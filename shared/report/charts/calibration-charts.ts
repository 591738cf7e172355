import type { StoredCalibration } from '../../contracts/results/calibration.ts';
import { formatCount, formatEstimate, formatFigure, formatSupported } from '../words/format-number.ts';
import { CHART_COLOURS, type Chart, dot, layer, listed, names, numbers, rule } from './chart.ts';

/** With more replicates than this, the chart of all shows them together alone. */
const MOST_ROWS = 12;

/** Height of plots with a diagonal in pixels: nearly square, so that it looks like one. */
const PLOT_HEIGHT = 370;

/** Room beside the outermost points of the reliability plot, as a factor. */
const MARGIN = 1.4;

type Figures = Pick<StoredCalibration, 'achievedBits' | 'achievedBitsSe' | 'claimedBits' | 'claimedBitsSe' | 'byReplicate' | 'replicates'>;

const withInterval = (value: number, standardError: number) => ({
  value,
  standardError,
  low: value - 2 * standardError,
  high: value + 2 * standardError,
});

/**
 * Information claimed and achieved, in bits a record, each with two standard errors to either side: of all replicates together
 * and, unless they are one or too many, of each of them.
 */
export function claimedAchievedChart(found: Figures): Chart {
  const { replicates, byReplicate } = found;
  const each = replicates === 1 || replicates > MOST_ROWS ? [] : byReplicate.map((own) => ({ name: `Replicate ${own.replicate}`, ...own }));
  const rows = [{ name: replicates === 1 ? 'Replicate 1' : 'All', ...found }, ...each];
  const values = rows.flatMap(({ name, achievedBits, achievedBitsSe, claimedBits, claimedBitsSe }) => [
    { name, kind: 'achieved', ...withInterval(achievedBits, achievedBitsSe) },
    { name, kind: 'claimed', ...withInterval(claimedBits, claimedBitsSe) },
  ]);
  const y = names('name', { grid: false, domain: false, ticks: false });
  const yOffset = { field: 'kind', type: 'nominal', sort: ['claimed', 'achieved'] } as const;
  const x = numbers('Information, bits a record', { scale: { zero: true }, axis: { grid: true, tickCount: 4, format: '~g' } });
  const color = { condition: { test: `datum.kind === 'achieved'`, value: CHART_COLOURS.mark }, value: CHART_COLOURS.reference } as const;
  return {
    height: 60 + 40 * rows.length,
    table: {
      heads: ['Of', 'What', 'Bits a record'],
      rows: values.map(({ name, kind, value, standardError }) => [name, kind, formatEstimate(value, standardError)]),
    },
    label: `${values.map(({ name, kind, value, standardError }) => `${name}: ${kind} ${formatEstimate(value, standardError)} bits`).join('; ')}.`,
    spec: {
      data: { values },
      layer: [
        { mark: { type: 'rule', strokeWidth: 3 }, encoding: { y, yOffset, x: x('low'), x2: { field: 'high' }, color } },
        { mark: { type: 'point', filled: true, size: 70, opacity: 1 }, encoding: { y, yOffset, x: x('value'), color } },
      ],
    },
  };
}

/**
 * Claimed against achieved information for groups of targets by what is claimed for them, with two standard errors of
 * the difference to either side. Points of a calibrated estimate lie about the diagonal.
 */
export function claimsByGroupChart({ byClaim }: Pick<StoredCalibration, 'byClaim'>): Chart {
  const values = byClaim.map(({ claimedBits, achievedBits, excessBitsSe }) => ({
    claimedBits,
    achievedBits,
    low: achievedBits - 2 * excessBitsSe,
    high: achievedBits + 2 * excessBitsSe,
  }));
  const largest = Math.max(...values.map(({ claimedBits }) => claimedBits));
  const sides = { scale: { zero: true }, axis: { grid: true, tickCount: 5, format: '~g' } } as const;
  const x = numbers('Claimed, bits a record', sides);
  const y = numbers('Achieved, bits a record', sides);
  return {
    height: PLOT_HEIGHT,
    table: {
      heads: ['Group', 'Claimed, bits a record', 'Achieved', 'Claimed less achieved'],
      rows: byClaim.map((own) => [
        String(own.group),
        formatSupported(own.claimedBits, own.excessBitsSe),
        formatSupported(own.achievedBits, own.excessBitsSe),
        formatEstimate(own.excessBits, own.excessBitsSe),
      ]),
    },
    label: `${byClaim
      .map(
        ({ group, claimedBits, achievedBits, excessBitsSe }) =>
          `Group ${group}: claimed ${formatEstimate(claimedBits, excessBitsSe)}, achieved ${formatEstimate(achievedBits, excessBitsSe)} bits`,
      )
      .join('; ')}.`,
    spec: {
      layer: [
        diagonal([0, largest], x('at'), y('at')),
        layer(values, rule(CHART_COLOURS.quiet, 3), { x: x('claimedBits'), y: y('low'), y2: { field: 'high' } }),
        layer(values, dot(CHART_COLOURS.mark, 60), { x: x('claimedBits'), y: y('achievedBits') }),
      ],
    },
  };
}

/** Where what is achieved is what was claimed. */
const diagonal = (ends: readonly [number, number], x: ReturnType<ReturnType<typeof numbers>>, y: typeof x) =>
  layer(
    ends.map((at) => ({ at })),
    { type: 'line', color: CHART_COLOURS.reference, strokeWidth: 2 },
    { x, y },
  );

/**
 * Reliability of the claimed probabilities: for each bin the mean probability claimed against the share of truths,
 * with its 95 % interval, on logarithmic axes. Points of a calibrated estimate lie about the diagonal.
 */
export function reliabilityPlot({ reliability }: Pick<StoredCalibration, 'reliability'>): Chart {
  const claimed = reliability.map((bin) => bin.meanClaimed).filter((value) => value > 0);
  const shares = reliability.flatMap((bin) => [bin.observedShare, bin.low]).filter((value) => value > 0);
  const least = Math.min(...claimed, ...shares) / MARGIN;
  const largest = Math.max(...claimed, ...reliability.map((bin) => bin.high)) * MARGIN;
  const sides = {
    scale: { type: 'log', domainMin: least, domainMax: largest, nice: false },
    axis: { values: decimalTicks(least, largest), format: '~g', grid: true },
  } as const;
  const x = numbers('Probability claimed', sides);
  const y = numbers('Share that are the truth', sides);
  const values = reliability.filter((bin) => bin.meanClaimed > 0);
  // A bin without a truth has an interval down to zero, which a logarithmic axis does not reach.
  const intervals = values.map((bin) => ({ ...bin, low: Math.max(bin.low, least) }));
  const seen = values.filter((bin) => bin.observedShare > 0);
  return {
    height: PLOT_HEIGHT,
    table: {
      heads: ['Probability claimed', 'Share that are the truth', '95 % interval'],
      rows: values.map((bin) => [
        formatFigure(bin.meanClaimed),
        formatFigure(bin.observedShare),
        `${formatFigure(bin.low)} to ${formatFigure(bin.high)}`,
      ]),
    },
    label: listed(
      `Claimed probabilities against the share of truths in ${formatCount(reliability.length)} bins.`,
      reliability.map(({ meanClaimed, observedShare }) => `Claimed ${formatFigure(meanClaimed)}, found ${formatFigure(observedShare)}`),
    ),
    spec: {
      layer: [
        diagonal([least, largest], x('at'), y('at')),
        layer(intervals, rule(CHART_COLOURS.quiet, 3), { x: x('meanClaimed'), y: y('low'), y2: { field: 'high' } }),
        layer(seen, dot(CHART_COLOURS.mark, 60), { x: x('meanClaimed'), y: y('observedShare') }),
      ],
    },
  };
}

/** One, two and five times the powers of ten between two numbers; powers of ten alone over more than three decades. */
function decimalTicks(from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let exponent = -300; exponent <= 1; exponent++) {
    for (const step of to / from > 1000 ? [1] : [1, 2, 5]) {
      const tick = Number(`${step}e${exponent}`);
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  }
  return ticks;
}
