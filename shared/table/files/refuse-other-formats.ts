import { InvalidTableError } from '../../contracts/errors.ts';

/** A format that is known by its bytes and not read. Commands name the file `FILE`. */
interface OtherFormat {
  /** As a person calls it. */
  readonly name: string;
  readonly isIt: (bytes: Uint8Array) => boolean;
  /** What makes a CSV file of it. */
  readonly exports: { readonly R?: string; readonly Python?: string; readonly otherwise?: string };
}

/** Some of the bytes, each as the letter of its number. A decoder of Latin-1 would decode Windows-1252. */
const letters = (bytes: Uint8Array, start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end));

/** Whether bytes begin with these, or have them at some place. */
const has =
  (mark: string, at = 0) =>
  (bytes: Uint8Array) =>
    letters(bytes, at, at + mark.length) === mark;

/** Whether bytes begin as gzip does (RFC 1952): its mark, and the one method of compression that there is. */
export const isGzip = has('\x1f\x8b\x08');

const either =
  (...tests: readonly ((bytes: Uint8Array) => boolean)[]) =>
  (bytes: Uint8Array) =>
    tests.some((test) => test(bytes));

/** Whether a ZIP archive has a member whose name holds this. Names stand in the directory at the end of an archive. */
export const hasMember = (name: string) => (bytes: Uint8Array) => has('PK\x03\x04')(bytes) && zipDirectory(bytes).includes(name);

const zipDirectory = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(-ZIP_DIRECTORY_BYTES));

/** More than the directory of an office document takes. */
const ZIP_DIRECTORY_BYTES = 1 << 16;

/** The first letters of a text, without a byte-order mark and space before them. */
const beginning = (bytes: Uint8Array) =>
  letters(bytes, 0, 512)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();

/** Releases of Stata up to 12 write the number of their format, the order of bytes, 1 and 0. */
const isOldStata = ([format, order, one, zero]: Uint8Array) =>
  format !== undefined && format >= 0x69 && format <= 0x73 && (order === 1 || order === 2) && one === 1 && zero === 0;

/** Text in two bytes a letter without a mark: letters of ASCII, each beside a zero. */
const isUnmarkedUtf16 = (bytes: Uint8Array) => /^(?:[\t\r\n -~]\0){4}|^(?:\0[\t\r\n -~]){4}/.test(letters(bytes, 0, 8));

const inR = (read: string) => `write.csv(${read}, "table.csv", row.names = FALSE, na = "")`;
const inPython = (read: string, imported = 'pandas') => `import ${imported}; ${read}.to_csv("table.csv", index=False)`;
const unpacked = (module: string) => `import ${module}, shutil; shutil.copyfileobj(${module}.open("FILE"), open("table.csv", "wb"))`;

/** As R's `readLines` and Python's modules decompress; R objects may be compressed in each of these ways. */
const compressed = (name: string, isIt: OtherFormat['isIt'], module: string): OtherFormat => ({
  name: `compressed with ${name}`,
  isIt,
  exports: {
    R: 'writeLines(readLines("FILE"), "table.csv")',
    Python: unpacked(module),
    otherwise: `where R saved it: ${inR('readRDS("FILE")')}`,
  },
});

const FROM_EXCEL: OtherFormat['exports'] = {
  R: inR('readxl::read_excel("FILE")'),
  Python: inPython('pandas.read_excel("FILE", dtype=str)'),
  otherwise: 'in Excel: Save As, "CSV UTF-8"',
};

/**
 * Marks of files by their specifications: the first that fits counts. Where a format has labels of its codes, the commands
 * write the labels.
 */
const OTHER_FORMATS: readonly OtherFormat[] = [
  { name: 'an Excel workbook of before 2007, or one with a password', isIt: has('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), exports: FROM_EXCEL },
  { name: 'an Excel workbook', isIt: hasMember('xl/workbook'), exports: FROM_EXCEL },
  {
    name: 'an OpenDocument spreadsheet',
    isIt: has('mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 30),
    exports: {
      R: inR('readODS::read_ods("FILE", col_types = NA)'),
      Python: inPython('pandas.read_excel("FILE", engine="odf", dtype=str)'),
    },
  },
  {
    name: 'a ZIP archive',
    isIt: either(has('PK\x03\x04'), has('PK\x05\x06')),
    exports: { R: 'unzip("FILE")', Python: 'import zipfile; zipfile.ZipFile("FILE").extractall()' },
  },
  {
    name: 'an SPSS file',
    isIt: either(has('$FL2@(#)'), has('$FL3@(#)')),
    exports: { R: inR('haven::as_factor(haven::read_sav("FILE"))'), Python: inPython('pandas.read_spss("FILE")') },
  },
  {
    name: 'a portable SPSS file',
    isIt: (bytes) => letters(bytes, 0, 200).includes('SPSS PORT FILE'),
    exports: {
      R: inR('haven::as_factor(haven::read_por("FILE"))'),
      Python: inPython('pyreadstat.read_por("FILE", apply_value_formats=True)[0]', 'pyreadstat'),
    },
  },
  {
    name: 'a SAS data set',
    isIt: has('\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11', 12),
    exports: { R: inR('haven::read_sas("FILE")'), Python: inPython('pyreadstat.read_sas7bdat("FILE")[0]', 'pyreadstat') },
  },
  {
    name: 'a SAS transport file (XPORT)',
    isIt: has('HEADER RECORD*******'),
    exports: { R: inR('haven::read_xpt("FILE")'), Python: inPython('pandas.read_sas("FILE", format="xport", encoding="utf-8")') },
  },
  {
    name: 'a Stata file',
    isIt: either(has('<stata_dta>'), isOldStata),
    exports: { R: inR('haven::as_factor(haven::read_dta("FILE"))'), Python: inPython('pandas.read_stata("FILE")') },
  },
  {
    name: 'an R object (RDS)',
    isIt: has('X\n\0\0\0'),
    exports: { R: inR('readRDS("FILE")'), Python: inPython('pyreadr.read_r("FILE")[None]', 'pyreadr') },
  },
  {
    name: 'an R workspace (RData)',
    isIt: (bytes) => /^RD[XA][23]\n[XA]\n/.test(letters(bytes, 0, 7)),
    exports: { R: inR('get(load("FILE")[1])'), Python: inPython('next(iter(pyreadr.read_r("FILE").values()))', 'pyreadr') },
  },
  {
    name: 'a Feather (Arrow) file',
    isIt: either(has('ARROW1\0\0'), has('FEA1\0')),
    exports: { R: inR('arrow::read_feather("FILE")'), Python: inPython('pandas.read_feather("FILE")') },
  },
  {
    name: 'a stream of Arrow (IPC)',
    isIt: has('\xff\xff\xff\xff'),
    exports: { R: inR('arrow::read_ipc_stream("FILE")'), Python: inPython('pyarrow.ipc.open_stream("FILE").read_pandas()', 'pyarrow') },
  },
  {
    name: 'an SQLite database',
    isIt: has('SQLite format 3\0'),
    exports: {
      R: inR('DBI::dbReadTable(DBI::dbConnect(RSQLite::SQLite(), "FILE"), "TABLE")'),
      Python: inPython('pandas.read_sql("select * from TABLE", sqlite3.connect("FILE"))', 'pandas, sqlite3'),
    },
  },
  {
    name: 'a Parquet file whose columns are encrypted',
    isIt: (bytes) => has('PARE')(bytes) && has('PARE')(bytes.subarray(-4)),
    exports: { otherwise: 'write it again without encryption' },
  },
  { name: 'a PDF document', isIt: has('%PDF-'), exports: { otherwise: 'ask its author for the table as CSV' } },
  {
    name: 'a web page (HTML)',
    isIt: (bytes) => /^(<!doctype html|<html)/i.test(beginning(bytes)),
    exports: {
      R: inR('rvest::html_table(rvest::read_html("FILE"))[[1]]'),
      Python: inPython('pandas.read_html("FILE")[0]'),
      otherwise: 'a page in the place of a download may ask for a login',
    },
  },
  {
    name: 'XML',
    isIt: (bytes) => beginning(bytes).startsWith('<?xml'),
    exports: { Python: inPython('pandas.read_xml("FILE")'), otherwise: 'in Excel: Save As, "CSV UTF-8"' },
  },
  {
    name: 'JSON',
    isIt: (bytes) => /^(\[\s*)?\{\s*"[^"]*"\s*:/.test(beginning(bytes)),
    exports: { R: inR('jsonlite::fromJSON("FILE")'), Python: inPython('pandas.read_json("FILE", dtype=False)') },
  },
  {
    name: 'a Parquet file',
    isIt: (bytes) => has('PAR1')(bytes) && has('PAR1')(bytes.subarray(-4)),
    exports: { R: inR('arrow::read_parquet("FILE")'), Python: inPython('pandas.read_parquet("FILE")') },
  },
  compressed('gzip', isGzip, 'gzip'),
  compressed('bzip2', (bytes) => /^BZh[1-9]1AY&SY/.test(letters(bytes, 0, 10)), 'bz2'),
  compressed('xz', has('\xfd7zXZ\0'), 'lzma'),
  { name: 'compressed with Zstandard', isIt: has('\x28\xb5\x2f\xfd'), exports: { otherwise: 'zstd -d FILE -o table.csv' } },
];

/** As a program for spreadsheets may write "Unicode text". */
const isUtf16 = either(has('\xff\xfe'), has('\xfe\xff'), isUnmarkedUtf16);

/**
 * Refuses files of other programs by their content, with the command that exports them (InvalidTableError `other-format`), text
 * in UTF-16 (`not-utf8`), and an archive that is cut short (`unreadable-workbook`).
 */
export function refuseOtherFormats(bytes: Uint8Array): void {
  if (isUtf16(bytes)) {
    throw new InvalidTableError(
      'not-utf8',
      'The file is text in UTF-16: expected UTF-8; save it again as "CSV UTF-8", or run: iconv -f UTF-16 -t UTF-8 FILE > table.csv',
    );
  }
  if (has('PK\x03\x04')(bytes) && !zipDirectory(bytes).includes('PK\x05\x06')) {
    throw new InvalidTableError(
      'unreadable-workbook',
      'The file is an Excel workbook or a ZIP archive that ends early: copy or download it again.',
    );
  }
  const format = OTHER_FORMATS.find(({ isIt }) => isIt(bytes));
  if (format === undefined) return;
  const { R, Python, otherwise } = format.exports;
  const ways = [R && `In R: ${R}`, Python && `In Python: ${Python}`, otherwise && `Otherwise: ${otherwise}`];
  throw new InvalidTableError(
    'other-format',
    [`The file is ${format.name}, which is not read here: export it as CSV.`, ...ways.filter((way) => way !== undefined)].join('\n'),
  );
}
