import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../scripts/pages/tables.ts';
import { VARIABLES } from '../../shared/contracts/column.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { readingOf, readTable } from '../../shared/table/files/read-table.ts';
import { smallTable } from '../pipeline/small-run.ts';
import { fileHashes, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';
import { type Ended, runR, runWriters } from './programs.ts';

const directory = temporaryFolder();
const at = (...names: string[]) => join(directory, ...names);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

function succeed({ code, output }: Ended): string {
  expect(code, output).toBe(0);
  return output;
}

const tableOf = async (path: string) => (await readTable(readFileSync(path), { missing: 'category' })).table;

describe('Parquet of other programs', () => {
  beforeAll(() => {
    succeed(runWriters(script('write-parquet.py'), at('parquet')));
  });

  it.each([
    ['same', 'table.csv', 98],
    ['missing', 'missing.csv', 98],
    ['ends', 'ends.csv', 4],
  ])('is the table of the CSV file, however it is written (%s)', async (folder, csv, files) => {
    const expected = await tableOf(at('parquet', csv));
    const names = readdirSync(at('parquet', folder));
    expect(names).toHaveLength(files);
    for (const name of names) expect(await tableOf(at('parquet', folder, name)), name).toEqual(expected);
  });

  it('makes the same release as the CSV file, under one key', async () => {
    const release = async (table: string, out: string) => {
      const flags = ['--out', out, '--datasets', '2', '--quiet', '--classes', '6', '--burn-in', '10'];
      const { code, stderr } = await synthrisk(directory, ['synthesize', table, ...flags]);
      expect(code, stderr).toBe(0);
      return fileHashes(at(out), 'release');
    };
    const expected = await release('parquet/table.csv', 'of-csv');
    for (const program of ['pyarrow', 'pandas-index', 'polars', 'duckdb', 'fastparquet-SNAPPY']) {
      expect(await release(`parquet/same/${program}.parquet`, program), program).toEqual(expected);
    }
  });

  it.each([
    ['whole', 15],
    ['missing', 15],
  ])(
    'makes the same release and finds the same risk of numbers as the CSV file, under one key (%s)',
    async (kind, files) => {
      const config = {
        model: { name: 'mixed', classes: 5 },
        variables: {
          age: { type: 'continuous', range: [0, 120] },
          amount: { type: 'continuous', range: [-1000, 10_000], scale: 'asinh', decimals: 2 },
        },
        mcmc: { chains: 2, burnIn: 5, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1, reproducibility: 'off' },
        synthesis: { datasets: 2, missing: 'impute' },
        utility: 'off',
      };
      writeFileSync(at('numbers.yaml'), JSON.stringify(config));
      const evaluate = async (table: string, out: string) => {
        const { code, stderr } = await synthrisk(directory, ['evaluate', table, '--config', 'numbers.yaml', '--out', out, '--quiet']);
        expect(code, `${table}: ${stderr}`).toBe(0);
        const numbers = readFileSync(at(out, 'confidential/continuous-risk.csv'), 'utf8');
        return { ...fileHashes(at(out), 'release'), numbers };
      };
      const expected = await evaluate(`parquet/numbers-${kind}.csv`, `numbers-${kind}`);
      const names = readdirSync(at('parquet/numbers', kind));
      expect(names).toHaveLength(files);
      const own = configSchema.parse(config);
      const read = async (path: string) => (await readTable(readFileSync(at(path)), readingOf(own))).table;
      const table = await read(`parquet/numbers-${kind}.csv`);
      for (const name of names) expect(await read(join('parquet/numbers', kind, name)), name).toEqual(table);
      // One of each program by a whole run.
      const programs = new Map(names.map((name) => [name.split(/[-.]/)[0], name]));
      for (const name of programs.values()) {
        expect(await evaluate(join('parquet/numbers', kind, name), `${kind}-${name}`), name).toEqual(expected);
      }
    },
    300_000,
  );

  it('is refused with the name of a column that holds dates or other things, and what to do', async () => {
    const expected: Record<string, RegExp> = {
      date: /dates: .* such as the year/,
      timestamp: /timestamps/,
      'timestamp-ns': /timestamps/,
      int96: /timestamps/,
      time: /times of day/,
      decimal: /decimals of more than 15 digits: .*convert it to floating point/,
      infinite: /expected a finite number; write a missing value/,
      half: /half-precision/,
      list: /lists or structures/,
      struct: /lists or structures/,
      uuid: /identifiers/,
      bytes: /not UTF-8/,
      fixed: /FIXED_LEN_BYTE_ARRAY/,
    };
    expect(readdirSync(at('parquet/refused')).sort()).toEqual(
      Object.keys(expected)
        .map((name) => `${name}.parquet`)
        .sort(),
    );
    for (const [name, says] of Object.entries(expected)) {
      const { code, stderr } = await synthrisk(directory, ['plan', `parquet/refused/${name}.parquet`]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/column `birth`/i);
      expect(stderr).toMatch(says);
    }
  });
});

describe('files of other programs', () => {
  /** Letters and digits alone, names of at most eight letters: what every format holds. */
  const rows = Array.from({ length: 60 }, (_, row) => `${row % 2 ? 'm' : 'f'},${'abc'[row % 3]}${row % 5},x`);

  beforeAll(() => {
    writeFileSync(at('plain.csv'), `${['sex,area,rest', ...rows].join('\n')}\n`);
    succeed(runWriters(script('write-formats.py'), at('plain.csv'), at('formats')));
    succeed(runR(script('write-formats.R'), at('plain.csv'), at('formats')));
  });

  const SPSS = 'an SPSS file';
  const STATA = 'a Stata file';
  const XPORT = 'a SAS transport file';
  type Language = 'R' | 'Python';
  const BOTH: readonly Language[] = ['R', 'Python'];
  const FORMATS: readonly (readonly [name: string, called: string, languages: readonly Language[]])[] = [
    ['stata-114', STATA, BOTH],
    ['stata-117', STATA, BOTH],
    ['stata-118', STATA, BOTH],
    ['stata-119', STATA, BOTH],
    ['haven-stata', STATA, BOTH],
    ['sav', SPSS, BOTH],
    ['zsav', SPSS, BOTH],
    ['haven-sav', SPSS, BOTH],
    ['por', 'a portable SPSS file', BOTH],
    ['xport-5', XPORT, BOTH],
    ['xport-8', XPORT, ['R']],
    ['haven-xport', XPORT, ['R']],
    ['haven-sas', 'a SAS data set', BOTH],
    ['rds-gzip', 'an R object', BOTH],
    ['rds-none', 'an R object', BOTH],
    ['rdata-gzip', 'an R workspace', BOTH],
    ['rdata-none', 'an R workspace', BOTH],
    ['feather', 'a Feather (Arrow) file', ['Python']],
    ['arrow-stream', 'a stream of Arrow (IPC)', ['Python']],
    ['sqlite', 'an SQLite database', ['Python']],
    ['json', 'JSON', BOTH],
    ['bzip2', 'compressed with bzip2', BOTH],
    ['xz', 'compressed with xz', BOTH],
    ['zip', 'a ZIP archive', BOTH],
  ];
  /** What messages said to do in each language: in a folder of the file's own, which holds it as FILE. */
  const said: Record<Language, { readonly folder: string; readonly command: string }[]> = { R: [], Python: [] };

  it.each(FORMATS)('%s is called %s, and the message has commands that export it', async (name, called, languages) => {
    const { code, stderr } = await synthrisk(directory, ['plan', join('formats', name)]);
    expect(code).toBe(2);
    expect(stderr).toContain(`The file is ${called}`);
    for (const language of languages) {
      const [, command] = new RegExp(`^In ${language}: (.+)$`, 'm').exec(stderr) ?? [];
      expect(command, stderr).toBeDefined();
      const folder = at('exported', name, language);
      mkdirSync(folder, { recursive: true });
      cpSync(at('formats', name), join(folder, 'FILE'));
      said[language].push({ folder, command: command!.replace('from TABLE', 'from t') });
    }
  });

  /** A program of all commands of a language, each of which reads and writes in its folder. */
  const PROGRAMS: Record<Language, () => Ended> = {
    R: () => runR('-e', said.R.map(({ folder, command }) => `setwd("${folder}"); local({ ${command} })`).join('\n')),
    Python: () =>
      runWriters(
        '-c',
        `import os\nfor folder, command in ${JSON.stringify(said.Python.map(Object.values))}:\n os.chdir(folder); exec(command, {})`,
      ),
  };

  it.each(BOTH)('the commands in %s give the table', async (language) => {
    const columns = async (path: string) => {
      const { schema, records } = await tableOf(path);
      // SAS's and SPSS's portable files write names in upper case.
      return { records, variables: schema.variables.map((v) => ({ ...v, name: v.name.toLowerCase() })) };
    };
    succeed(PROGRAMS[language]());
    expect(said[language]).toHaveLength(FORMATS.filter(([, , languages]) => languages.includes(language)).length);
    const expected = await columns(at('plain.csv'));
    for (const { folder } of said[language]) expect(await columns(join(folder, 'table.csv')), folder).toEqual(expected);
  });

  it('workbooks are read, whoever wrote them', async () => {
    const names = readdirSync(at('formats/workbooks'));
    expect(names).toHaveLength(5);
    for (const name of names) {
      expect(await tableOf(at('formats/workbooks', name)), name).toEqual(await tableOf(at('plain.csv')));
    }
  });

  it('gzip is read', async () => {
    expect(await tableOf(at('formats/gzip'))).toEqual(await tableOf(at('plain.csv')));
  });
});

describe('Parquet of results', () => {
  const whole = ['Int32', 'Int64'];

  it('has whole numbers as such and explains itself, in pyarrow, Polars and DuckDB', async () => {
    writeFileSync(at('small.csv'), smallTable({ records: 120 }));
    const evaluate = ['evaluate', 'small.csv', '--out', 'results', '--datasets', '2', '--quiet'];
    const { code, stderr } = await synthrisk(directory, [...evaluate, ...['--synthesized', 'education,employment'], ...SMALL_FLAGS]);
    expect(code, stderr).toBe(0);
    const files = readdirSync(at('results/confidential')).filter((name) => name.endsWith('.parquet'));
    expect(files).toEqual(expect.arrayContaining(['attribute-risk.parquet', 'variable-risk.parquet']));
    const paths = files.map((name) => at('results/confidential', name));
    const found = JSON.parse(succeed(runWriters(script('read-parquet.py'), ...paths)));
    for (const [index, path] of paths.entries()) {
      const { pyarrow, polars, duckdb, metadata, metadataOfDuckDB, sameAsCsv } = found[path];
      expect(sameAsCsv, path).toBe(true);
      const { row, columns } = TABLES.find(({ file }) => `${file}.parquet` === files[index])!;
      expect(metadata['synthrisk.row']).toBe(row);
      const meanings = Object.keys(pyarrow).map((name) => [name, (columns[name] ?? columns[VARIABLES])!.meaning]);
      expect(JSON.parse(metadata['synthrisk.columns'])).toEqual(Object.fromEntries(meanings));
      expect(metadataOfDuckDB).toEqual(metadata);
      expect(Object.keys(duckdb)).toEqual(Object.keys(pyarrow));
      for (const name of ['record', 'combination', 'count', 'candidates', 'categories', 'dataset', 'matches']) {
        if (name in polars) expect(whole, `${path} ${name}`).toContain(polars[name]);
        if (name in pyarrow) expect(pyarrow[name]).toMatch(/^int(32|64)$/);
        if (name in duckdb) expect(duckdb[name]).toMatch(/^(INTEGER|BIGINT)$/);
      }
      for (const name of ['rank', 'probability']) {
        if (name in polars) expect(polars[name]).toBe('Float64');
      }
    }
  });
});
