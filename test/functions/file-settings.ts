import { csvRows, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';

const [header, ...rows] = csvRows(smallTable({ seed: 18 })) as [string[], ...string[][]];
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const encoded = (lines: readonly string[][]) => `${lines.map((line) => line.map(quoted).join()).join('\n')}\n`;
/** Names and categories of the table. */
const known = new Set([header, ...rows].flat());

/** Files beside an upload of the small table of seed 18, as {@link FILE_SETTINGS} names them. */
export const FILES_BESIDE = {
  'prior-1.csv': `${header[0]},weight\n${[...new Set(rows.map(([value]) => value!))]
    .map((value, i) => `${quoted(value)},${1 + i}`)
    .join('\n')}\n`,
  'control.csv': encoded(csvRows(smallTable({ seed: 19, records: 30 })).filter((row) => row.every((text) => known.has(text)))),
  'known-1.csv': `record\n${[1, 5, 6, 9, 20, 33].join('\n')}\n`,
};

/** Two intruders of whom one has a prior, and the other records, from files that lie somewhere, as does a control. */
export const FILE_SETTINGS = {
  ...SMALL_SETTINGS,
  attributeRisk: {
    control: 'elsewhere/strangers.csv',
    scenarios: [
      { name: 'believes', candidates: { unknown: [header[0]!] }, prior: { file: 'somewhere/beliefs.csv' } },
      { name: 'has some', candidates: { unknown: [header[2]!] }, knows: { file: '/else/where.csv' } },
    ],
  },
};
