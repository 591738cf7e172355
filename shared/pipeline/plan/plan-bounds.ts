import { encodeJson } from '../../artifacts/stored-json.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { Radius } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { VERSION } from '../../contracts/version.ts';
import { openBounds, prepareBounds } from '../../risk/bounds/open-bounds.ts';
import { readingWithoutModel, readTable, readTableAs } from '../../table/files/read-table.ts';
import type { Table } from '../../table/table.ts';
import { ofFile } from '../files/read-files.ts';

const ZEROS_IGNORED: Warning = {
  code: 'structural-zeros-ignored',
  message: 'Structural zeros play no part in the bounds: the minimum may draw impossible combinations.',
};

/** What `inherent` is asked to do. */
export interface BoundsRunRequest {
  /** Its scenarios are the intruders; none for one who knows every kept variable. */
  readonly config: Config;
  /** Radii of variables, which go before those of the scenarios. */
  readonly radius: Readonly<Record<string, Radius>>;
  /** Resamples of each bound. */
  readonly resamples: number;
  /** Quantile bands of a kept continuous variable in the patterns. */
  readonly bands: number;
  /** Bytes of the confidential table, CSV or Parquet. */
  readonly table: Uint8Array;
  /** Bytes of the datasets of a release; may be none. */
  readonly datasets: readonly Uint8Array[];
  /** Key of the place where the results are kept, under which their id is formed. */
  readonly placeKey: Uint8Array;
}

/**
 * Reads and checks everything that the bounds need. Nothing is written.
 *
 * @throws InvalidConfigError `nothing-kept`
 * @throws UnsupportedOptionError `impute-without-model`
 * @throws what reading the files, `openBounds` and `prepareBounds` throw
 */
export async function planBounds(request: BoundsRunRequest) {
  const { config, bands, resamples } = request;
  const { synthesized, missing } = requireBounded(config);
  const reading = readingWithoutModel(config);
  const { table, notices } = await readTable(request.table, reading);
  const { schema } = table;
  const { seed, variables, identification, missingCodes, numbers, count } = config;
  const settings = { seed, synthesized, identification, radius: request.radius, resamples, bands };
  const opened = openBounds(schema, settings);
  const datasets: Table[] = [];
  for (const [index, bytes] of request.datasets.entries()) {
    const dataset = await ofFile(`dataset ${index + 1}`, readTableAs(bytes, schema, reading));
    notices.push(...dataset.notices);
    datasets.push(dataset.table);
  }
  const bounds = prepareBounds(table, datasets, opened);
  const hashes = await Promise.all([request.table, ...request.datasets].map(sha256));
  const identity = { ...settings, variables, missing, missingCodes, numbers, count };
  return {
    runId: await keyedRunId(request.placeKey, encodeJson({ version: VERSION, purpose: 'inherent', hashes, identity })),
    bounds,
    warnings: [
      ...[...new Set(notices)].map((message) => ({ code: 'table-notice', message })),
      ...(config.synthesis.structuralZeros === undefined ? [] : [ZEROS_IGNORED]),
    ],
  };
}

/** The settings of a config that bounds can be found under, as far as they matter to them. */
function requireBounded({ synthesis }: Config): { synthesized: string[]; missing: 'refuse' | 'category' } {
  const { synthesized, missing } = synthesis;
  if (synthesized === 'all') {
    throw new InvalidConfigError(
      'nothing-kept',
      'Name the variables that the release replaces (--synthesized, synthesis.synthesized). With every variable synthesized no row of a release belongs to a record, and there are no such bounds.',
    );
  }
  if (missing === 'impute') {
    throw new UnsupportedOptionError(
      'impute-without-model',
      'Missing values are imputed by a model, and bounds are found without one: use "missing: category".',
    );
  }
  return { synthesized, missing };
}
