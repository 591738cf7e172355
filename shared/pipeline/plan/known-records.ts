import { type Config, lesserKnowledge } from '../../contracts/config/config.ts';
import { type Knowledge, knowledgeName } from '../../contracts/config/knowledge.ts';
import { InvalidConfigError, InvalidTableError } from '../../contracts/errors.ts';
import { refuseUnreadRecords } from '../../contracts/settings/refuse-unread-files.ts';
import { sha256 } from '../../contracts/sha256.ts';
import type { Streams } from '../../random/streams.ts';
import { readCsv } from '../../table/files/read-csv.ts';

/** Records that the intruders of a run have who do not have all but one: by its name, how many of each combination, or of each record. */
export type KnownRecords = ReadonlyMap<string, Uint32Array>;

/** The bytes of files of known records, by the path or the digest that a config has for them. */
export type KnownFiles = ReadonlyMap<string, Uint8Array>;

/**
 * A config whose files of known records are named by their digests, and numbered in the order of the names of their scenarios, so that a
 * scenario's random numbers are the same wherever it stands; files of the same bytes alike. And the files by their digests.
 *
 * @throws UnsupportedOptionError `known-records-unread` where a file is not there to be read
 * @throws InvalidConfigError `numbered-file` where a file that is yet to be read has a number
 */
export async function digestKnownFiles(
  config: Config,
  files: KnownFiles = new Map(),
): Promise<{ readonly config: Config; readonly files: KnownFiles }> {
  const digested = new Map<string, Uint8Array>();
  const digests = new Map<string, string>();
  for (const { name, knows } of config.attributeRisk.scenarios) {
    if (typeof knows !== 'object' || !('file' in knows)) continue;
    if (knows.number !== undefined) {
      throw new InvalidConfigError(
        'numbered-file',
        'attributeRisk.scenarios: files of known records are numbered by the run: leave knows.number out.',
      );
    }
    const bytes = files.get(knows.file);
    if (bytes === undefined) refuseUnreadRecords(config);
    else {
      const digest = await sha256(bytes);
      digested.set(digest, bytes);
      digests.set(name, digest);
    }
  }
  const numbered = [...new Set([...digests.keys()].sort().map((name) => digests.get(name)!))];
  const scenarios = config.attributeRisk.scenarios.map((scenario) => {
    const file = digests.get(scenario.name);
    return file === undefined ? scenario : { ...scenario, knows: { file, number: 1 + numbered.indexOf(file) } };
  });
  return { config: { ...config, attributeRisk: { ...config.attributeRisk, scenarios } }, files: digested };
}

/** Which row, of so many, each record is: a combination, or the record itself. */
interface RowsOfRecords {
  readonly combinations: { readonly count: number };
  readonly combinationOfRecord: Uint32Array;
}

/** Records each of which is a row of its own. */
export const singleRecords = (records: number): RowsOfRecords => ({
  combinations: { count: records },
  combinationOfRecord: Uint32Array.from({ length: records }, (_, record) => record),
});

/**
 * The records that each intruder has who does not have all but one. A share is drawn at random from the records, the same
 * for all scenarios that name it.
 *
 * @param config with the digests of files
 * @throws InvalidConfigError `share-of-none` where a share comes to no record, or to all
 * @throws InvalidTableError as `readKnownRecords` does
 */
export function knownRecords(
  config: Config,
  files: KnownFiles,
  { combinations, combinationOfRecord }: RowsOfRecords,
  streams: Streams,
): KnownRecords {
  const records = combinationOfRecord.length;
  const known = new Map<string, Uint32Array>();
  for (const knows of lesserKnowledge(config)) {
    const counts = new Uint32Array(combinations.count);
    for (const record of recordsOf(knows, files, records, streams)) counts[combinationOfRecord[record]!]!++;
    known.set(knowledgeName(knows), counts);
  }
  return known;
}

/** The records (from 0) that an intruder has. */
function recordsOf(knows: Knowledge, files: KnownFiles, records: number, streams: Streams): Uint32Array {
  if (knows === 'nothing') return new Uint32Array(0);
  if ('file' in knows) return readKnownRecords(files.get(knows.file)!, records);
  const wanted = Math.round(knows.share * records);
  if (wanted === 0 || wanted === records) {
    throw new InvalidConfigError(
      'share-of-none',
      `attributeRisk.scenarios: a share of ${knows.share} of ${records} records is ${wanted === 0 ? 'none of them (knows: nothing)' : 'all of them, which leaves nobody to be attacked'}.`,
    );
  }
  const random = streams.open(`known/${knowledgeName(knows)}`);
  const order = Uint32Array.from({ length: records }, (_, record) => record);
  for (let i = 0; i < wanted; i++) {
    const other = i + random.below(records - i);
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order.subarray(0, wanted);
}

/** The column of a file of known records. */
const COLUMN = 'record';

/**
 * The records (from 0) that a CSV file names in its column `record`, from 1; other columns are not read.
 *
 * @throws InvalidTableError `no-record-column`, `no-such-record`, `repeated-record`, `no-known-records`, `nobody-outside` and those of
 * `readCsv`, by row and without what stands there
 */
function readKnownRecords(bytes: Uint8Array, records: number): Uint32Array {
  const found = new Set<number>();
  const refuse = (code: string, why: string, row?: number) =>
    new InvalidTableError(code, `known records: ${why}`, row === undefined ? {} : { row });
  let row = 0;
  readCsv(bytes, (header) => {
    if (header.filter((name) => name === COLUMN).length !== 1) {
      throw refuse('no-record-column', `expected one column ${COLUMN}, with rows of the table numbered from 1`);
    }
    const add = (text: string) => {
      row++;
      const record = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : NaN;
      if (!(record <= records)) {
        throw refuse('no-such-record', `row ${row} names no record: expected a number from 1 to ${records}`, row);
      }
      if (found.has(record)) throw refuse('repeated-record', `row ${row} names a record again`, row);
      found.add(record);
    };
    return header.map((name) => (name === COLUMN ? { add } : undefined));
  });
  if (found.size === 0) throw refuse('no-known-records', 'no record is named (knows: nothing)');
  if (found.size === records) throw refuse('nobody-outside', 'all records are named, which leaves nobody to be attacked');
  return Uint32Array.from(found, (record) => record - 1);
}
