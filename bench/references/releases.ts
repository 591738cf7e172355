/** A table whose releases are references. */
export interface ReferenceTable {
  readonly name: string;
  /** Name of its file; null for the example, which is made. */
  readonly file: string | null;
  /** File of its structural zeros. */
  readonly zeros?: string;
  /** Where the bands of a numeric variable begin. */
  readonly breaks?: Readonly<Record<string, readonly number[]>>;
  /** What trees synthesize. */
  readonly trees: readonly string[];
  /** The one variable that DP-areal synthesizes; null of tables that it takes far longer for than any other synthesizer. */
  readonly areal: string | null;
  /** A variable of two values, released by itself; null where there is none. */
  readonly binary: string | null;
}

export const TABLES: readonly ReferenceTable[] = [
  { name: 'household (the example)', file: null, trees: ['employment', 'income_band'], areal: 'income_band', binary: null },
  {
    name: 'acs2016-sample',
    file: 'acs2016-sample.csv',
    zeros: 'acs2016-structural-zeros.csv',
    trees: ['MAR', 'WKL'],
    areal: 'MAR',
    binary: 'SEX',
  },
  {
    name: 'ce-2018q3, banded',
    file: 'ce-2018q3.csv',
    breaks: {
      Age: [0, 25, 35, 45, 55, 65, 75],
      Expenditure: [-1e9, 2500, 5000, 10_000, 20_000, 40_000],
      Income: [-1e9, 1, 15_000, 30_000, 50_000, 75_000, 100_000, 150_000],
    },
    trees: ['Tenure', 'Income'],
    areal: null,
    binary: 'Urban',
  },
  { name: 'ny-acs', file: 'ny-acs.csv', trees: ['EDUC', 'EMPSTAT'], areal: null, binary: 'SEX' },
];

/** A release of a table by a synthesizer. */
export interface Reference {
  readonly table: ReferenceTable;
  readonly synthesizer: string;
  /** Names the folder of its run. */
  readonly folder: string;
  /** Variables that are synthesized, for the page. */
  readonly synthesized: string;
  /** Settings of the config, beside the table. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Columns of the table that are released, where not all. */
  readonly columns?: readonly string[];
}

/** A table as text, its header first. */
export type Cells = readonly [header: readonly string[], ...rows: (readonly string[])[]];

/** Epsilons of the models of counts, for all datasets together. */
const EPSILONS = [1, 10, 100];

/**
 * All releases of a table, those that take least time first. Models of counts are private where categories are known
 * beforehand: here they are those of the table, which a reference may be told and an agency may not.
 */
export function referencesOf(table: ReferenceTable, [header, ...rows]: Cells): Reference[] {
  const categoriesOf = (column: string) => [...new Set(rows.map((row) => row[header.indexOf(column)]!))].sort();
  const slug = table.name.replaceAll(/\W+/g, '-');
  const breaks = Object.fromEntries(Object.entries(table.breaks ?? {}).map(([name, own]) => [name, { breaks: own }]));
  const quick = { mcmc: { precision: 'quick' }, utility: 'off' };
  const counts = (name: string, columns: readonly string[], epsilon: number): Reference => ({
    table,
    synthesizer: `${name}, ε = ${epsilon}`,
    folder: `${slug}-${name}-${epsilon}`,
    synthesized: columns.length === header.length ? 'all' : columns.join(', '),
    settings: {
      model: { name, epsilon },
      utility: 'off',
      variables: Object.fromEntries(columns.map((column) => [column, breaks[column] ?? { categories: categoriesOf(column) }])),
    },
    ...(columns.length === header.length ? {} : { columns }),
  });
  return [
    ...(table.binary === null ? [] : [table.binary]).flatMap((binary) =>
      EPSILONS.map((epsilon) => counts('beta-binomial', [binary], epsilon)),
    ),
    ...EPSILONS.map((epsilon) => counts('dirichlet-multinomial', header, epsilon)),
    {
      table,
      synthesizer: 'cart',
      folder: `${slug}-cart`,
      synthesized: table.trees.join(', '),
      settings: { model: { name: 'cart' }, synthesis: { synthesized: table.trees }, variables: breaks, utility: 'off' },
    },
    {
      table,
      synthesizer: 'dpmpm',
      folder: `${slug}-dpmpm`,
      synthesized: 'all',
      settings: { ...quick, variables: breaks, ...(table.zeros ? { synthesis: { structuralZeros: 'zeros.csv' } } : {}) },
    },
    ...(table.areal === null ? [] : [table.areal]).map((areal) => ({
      table,
      synthesizer: 'dp-areal',
      folder: `${slug}-dp-areal`,
      synthesized: areal,
      settings: { model: { name: 'dp-areal' }, synthesis: { synthesized: [areal] }, variables: breaks, ...quick },
    })),
  ];
}
