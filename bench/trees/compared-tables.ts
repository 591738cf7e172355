import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { type ComparedTable, type ComparedWay, evaluateWay, type Kept } from './compared-releases.ts';

const CART = { name: 'cart' };
const QUICK = { precision: 'quick' };

/** What is measured of the census extract, and of the survey. */
const WAYS: readonly [ComparedWay, ...ComparedWay[]] = [
  { name: 'trees as they are', model: CART, datasets: 5 },
  { name: 'minimum leaf 20', model: { ...CART, minimumLeaf: 20 }, datasets: 5 },
  { name: 'minimum leaf 50', model: { ...CART, minimumLeaf: 50 }, datasets: 5 },
  { name: 'complexity 0.001', model: { ...CART, complexity: 0.001 }, datasets: 5 },
  { name: 'kept predictors none', model: { ...CART, predictors: 'none' }, datasets: 5 },
  { name: 'bootstrap samples', model: { ...CART, proper: true }, datasets: 5, attributeRisk: false },
  { name: 'DPMPM', model: { name: 'dpmpm' }, datasets: 5, mcmc: QUICK },
  { name: 'DP-areal', model: { name: 'dp-areal' }, datasets: 5, mcmc: QUICK },
];

const [AS_THEY_ARE] = WAYS;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const withError = (value: number, error: number | null, digits: number) =>
  error === null ? value.toFixed(digits) : `${value.toFixed(digits)} ± ${error.toFixed(digits)}`;

const HEAD = [
  'right before',
  'right after',
  'bits gained',
  'proven',
  'expected match risk',
  'pMSE ratio, main and pairs',
  'interval overlap',
];

/** Columns of attribute risk; of a way of which it cannot be measured, that. */
function riskCells(risk: Summary['attributeRisk'][number] | undefined): string[] {
  if (risk === undefined) return Array(4).fill('not measured');
  const after = risk.firstGuessRightAfterSe;
  return [
    percent(risk.firstGuessRightBefore!),
    `${withError(100 * risk.firstGuessRightAfter!, after === null ? null : 100 * after, 1)} %`,
    withError(risk.gainBitsMean!, risk.gainBitsMeanSe, 3),
    risk.provenShare === undefined ? 'none can be' : percent(risk.provenShare),
  ];
}

function cellsOf({ attributeRisk, identificationRisk, utility }: Summary): string[] {
  const matched = identificationRisk[0]!;
  if (!matched.applies) throw new RangeError('the releases are partially synthetic');
  const { expectedMatchRisk } = matched.mean;
  const figures = utility!.figures;
  const ratio = (value: number | null) => (value === null ? 'undefined' : value.toFixed(2));
  return [
    ...riskCells(attributeRisk[0]),
    expectedMatchRisk.toFixed(1),
    `${ratio(figures.propensityRatioMain)}, ${ratio(figures.propensityRatioPairs)}`,
    ratio(figures.intervalOverlapMean),
  ];
}

/** Risk, identification risk and utility of the same synthesized variable in several ways. */
export function comparedTable(table: ComparedTable, kept: Kept): string {
  const rows = WAYS.flatMap((way) => {
    const summary = evaluateWay(table, way, kept);
    return summary === null ? [] : [[way.name, ...cellsOf(summary)]];
  });
  return markdownTable([`${table.synthesized} of ${table.name}`, ...HEAD], rows);
}

/** What releases of trees reveal about real records against what their likelihood claims. */
export function claimedTable(tables: readonly ComparedTable[], kept: Kept): string {
  const rows = tables.flatMap((table) => {
    const summary = evaluateWay(table, AS_THEY_ARE, kept);
    if (summary === null) return [];
    const risk = summary.attributeRisk[0]!;
    return [
      [
        `${table.synthesized} of ${table.name}, ${summary.table.records} records`,
        withError(risk.gainBitsMean!, risk.gainBitsMeanSe, 3),
        risk.gainBitsClaimed!.toFixed(3),
        withError(risk.gainBitsExcess!, risk.gainBitsExcessSe, 3),
      ],
    ];
  });
  return markdownTable(['variable', 'bits gained', 'claimed', 'claimed less gained'], rows);
}
