import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { informationLoss } from '../../shared/masking/information-loss.ts';
import { mdavGroups } from '../../shared/masking/mdav.ts';
import { aggregated, countGroups } from '../../shared/masking/microaggregate.ts';
import { standardizedPoints } from '../../shared/masking/standardized-points.ts';
import type { Table } from '../../shared/table/table.ts';
import { values } from './attack.ts';
import type { Claim } from './claims.ts';
import type { MdavMeasured, MillionMeasured } from './speed.ts';

/** What is published of MDAV on the Census table, by k (Domingo-Ferrer et al. 2006; Chang et al. 2007). */
const PUBLISHED_LOSS: Readonly<Record<number, string>> = { 3: '5.692186279', 4: '7.494699833', 5: '9.088435498', 10: '14.15593043' };

/**
 * Information loss of MDAV beside what is published.
 *
 * @throws RangeError where they differ, as for another table
 */
export function lossTable(table: Table): string {
  const columns = [...table.columns.keys()].map((v) => values(table, v));
  const points = standardizedPoints(columns);
  const rows = Object.entries(PUBLISHED_LOSS).map(([k, published]) => {
    const groups = finish(mdavGroups(points, columns.length, Number(k)));
    const pairs = columns.map((original) => ({ original, masked: aggregated(original, groups, 'mean') }));
    const found = informationLoss(pairs).percent!;
    if (Math.abs(found - Number(published)) > 1e-7) throw new RangeError(`MDAV with k = ${k} is not as published`);
    return [k, String(countGroups(groups)), found.toPrecision(10), published];
  });
  return markdownTable(['k', 'groups', 'information loss (%)', 'published'], rows);
}

const percent = (share: number | null) => (share === null ? 'none' : `${(100 * share).toFixed(share < 0.0995 ? 2 : 1)} %`);

/** Figures of re-identification, but for those of swapping. */
export function claimsTable(claims: readonly Claim[]): string {
  const rows = claims
    .filter(({ swapped }) => swapped === undefined)
    .map(({ masking, link, found }) => {
      const { first, share, shareError, precision, claimed } = found;
      const spread = shareError === null ? `${percent(first.low)} to ${percent(first.high)}` : `± ${(100 * shareError).toFixed(2)}`;
      return [masking, link, percent(share), spread, percent(precision), percent(claimed)];
    });
  return markdownTable(['masking', 'links', 're-identified', 'interval or error', 'precision', 'believed'], rows);
}

/** What weights find of swapped values, by how far ranks go: of three variables and of all. */
export function swapTable(claims: readonly Claim[]): string {
  const swapped = claims.filter((claim) => claim.swapped !== undefined);
  const rows = [...new Set(swapped.map((claim) => claim.swapped!))].map((p) => [
    `${p} %`,
    ...swapped.filter((claim) => claim.swapped === p).flatMap(({ found }) => [percent(found.share), percent(found.claimed)]),
  ]);
  return markdownTable(['p', 'three variables', 'believed', 'all 13', 'believed'], rows);
}

/** What the speed rows hold. */
export function speedTable({ million, mdav }: { million: MillionMeasured; mdav: MdavMeasured }): string {
  const seconds = (value: number) => `${value.toPrecision(2)} s`;
  const size = (records: number) => records.toLocaleString('en');
  return markdownTable(
    ['work', 'CPU', 'beside it'],
    [
      [`individual ranking of ${size(million.records)} records, three variables, k = 3`, seconds(million.maskSeconds), ''],
      [
        'their re-identification by weights',
        seconds(million.linkSeconds),
        `both together ${seconds(million.wallSeconds)} of wall time and ${Math.round(million.peakMiB)} MiB at most; ${percent(million.reidentifiedShare)} re-identified`,
      ],
      [
        `MDAV, k = 3, ${size(mdav.records)} records on ${mdav.variables} variables`,
        seconds(mdav.seconds),
        `the obvious program: ${seconds(mdav.plainSeconds)}, ${(mdav.plainSeconds / mdav.seconds).toFixed(0)} times as long`,
      ],
      [
        `the same, ${mdav.sizes.map(size).join(', ')} records`,
        mdav.sizeSeconds.map(seconds).join(', '),
        `grows as records^${mdav.exponent.toFixed(2)}`,
      ],
    ],
  );
}
