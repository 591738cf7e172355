import { csvRows, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';

const [header, ...rows] = csvRows(smallTable({ seed: 18 })) as [string[], ...string[][]];
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Files beside an upload of the small table of seed 18, as {@link FILE_SETTINGS} names them. */
export const FILES_BESIDE = {
  'prior-1.csv': `${header[0]},weight\n${[...new Set(rows.map(([value]) => value!))]
    .map((value, i) => `${quoted(value)},${1 + i}`)
    .join('\n')}\n`,
  'known-1.csv': `record\n${[1, 5, 6, 9, 20, 33].join('\n')}\n`,
};

/** Two intruders of whom one has a prior, and the other records, from files that lie somewhere. */
export const FILE_SETTINGS = {
  ...SMALL_SETTINGS,
  attributeRisk: {
    scenarios: [
      { name: 'believes', candidates: { unknown: [header[0]!] }, prior: { file: 'somewhere/beliefs.csv' } },
      { name: 'has some', candidates: { unknown: [header[2]!] }, knows: { file: '/else/where.csv' } },
    ],
  },
};
