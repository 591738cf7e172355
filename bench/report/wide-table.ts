import { RandomStream } from '../../shared/random/random-stream.ts';

/** Numbers of categories of the variables: 40,320 cells. */
const SIZES = { SEX: 2, AGEP: 4, RACE1P: 6, SCHL: 4, MAR: 5, LANX: 2, WAOB: 7, WKL: 3 };

/** A table in CSV whose records are drawn evenly from all cells until there are so many combinations, and its config. */
export function wideTable(combinations: number): { readonly csv: string; readonly config: string } {
  const random = new RandomStream(1, 'wide-table');
  const seen = new Set<string>();
  const rows: string[] = [];
  while (seen.size < combinations) {
    const row = Object.values(SIZES)
      .map((size) => random.below(size))
      .join(',');
    seen.add(row);
    rows.push(row);
  }
  const variables = Object.entries(SIZES).map(([name, size]) => {
    const categories = Array.from({ length: size }, (_, code) => `"${code}"`);
    return `  ${name}: { categories: [${categories.join(', ')}] }`;
  });
  return {
    csv: `${[Object.keys(SIZES).join(','), ...rows].join('\n')}\n`,
    config: `table: table.csv
model: { name: dirichlet-multinomial, epsilon: 30 }
variables:
${variables.join('\n')}
`,
  };
}
