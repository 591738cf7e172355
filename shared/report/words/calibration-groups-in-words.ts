import type { StoredCalibration, StoredCalibrationGroup } from '../../contracts/results/calibration.ts';

/** The groups of targets that a calibration judges by themselves, with the name of each; those too small are left out. */
export function namedCalibrationGroups(
  found: Pick<StoredCalibration, 'byClaim' | 'riskiest' | 'uniqueRecords' | 'otherRecords'>,
): [name: string, group: StoredCalibrationGroup][] {
  const { byClaim, riskiest, uniqueRecords, otherRecords } = found;
  const part = byClaim.length === 10 ? 'tenth' : `of ${byClaim.length} groups, number`;
  const least = (group: number) => (group === 1 ? ', least claimed' : '');
  const most = (group: number) => (group === byClaim.length ? ', most claimed' : '');
  const named: [string, StoredCalibrationGroup | null][] = [
    // A single group is all targets, whose figures stand above.
    ...(byClaim.length === 1
      ? []
      : byClaim.map((figures): [string, StoredCalibrationGroup] => [
          `${part} ${figures.group}${least(figures.group)}${most(figures.group)}`,
          figures,
        ])),
    ['riskiest 5\u00a0%', riskiest],
    ['unique records', uniqueRecords],
    ['other records', otherRecords],
  ];
  return named.filter((entry): entry is [string, StoredCalibrationGroup] => entry[1] !== null);
}
