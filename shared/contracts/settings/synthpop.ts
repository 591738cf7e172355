import * as z from 'zod';
import { InvalidConfigError, UnsupportedOptionError } from '../errors.ts';
import { cartFacts } from '../models/cart.ts';
import { positiveInteger } from '../number-schemas.ts';
import { explainUnknownField, readYaml } from './complete-config.ts';
import { isSection, type Settings } from './settings.ts';

/** How synthpop made a release, as the R package writes it (docs/how-to/r.md, the file of synthpop's settings). */
const synthpopSchema = z.strictObject({
  method: z.record(z.string(), z.string()).describe('How each column was made; empty for one that was kept'),
  visitSequence: z.array(z.string()).min(1).describe('Columns in the order of visits'),
  predictors: z.record(z.string(), z.array(z.string())).describe('What predicts each column, a row of the predictor matrix'),
  minbucket: positiveInteger.default(5).describe('Records of a leaf at least'),
  cp: z.number().nonnegative().default(1e-8).describe("rpart's complexity"),
  proper: z.boolean().default(false).describe('Each tree on a bootstrap sample'),
  smoothing: z.record(z.string(), z.string()).default({}).describe('Of each smoothed column, the way'),
  others: z.array(z.string()).default([]).describe('Arguments of syn() that were used and have no counterpart here'),
});

type Synthpop = z.output<typeof synthpopSchema>;

/** Where a release that is not of trees is measured. */
const WITHOUT_TREES =
  'The attribute risk of such a release cannot be found here. `attack` and `utility` take the datasets however they were made, and `identify` where variables are kept.';

/** Trees, which synthpop calls as a config does. */
const TREES = cartFacts.name;

/** Methods that leave a column as it is. */
const KEEPING = ['', 'constant'];

const inBackticks = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** Refuses what synthpop does and trees as they are grown here do not (`synthpop-method`, `synthpop-smoothing`, `synthpop-argument`). */
function refuseUnmapped({ visitSequence, method, smoothing, predictors, others }: Synthpop): void {
  for (const name of visitSequence) {
    const how = method[name] ?? '';
    // A column that nothing predicts is drawn from the whole of it, by cart as by sample.
    if (KEEPING.includes(how) || how === TREES || (how === 'sample' && (predictors[name] ?? []).length === 0)) continue;
    const which = how === 'sample' ? 'sample` of a column that others predict' : `${how}\``;
    throw new UnsupportedOptionError(
      'synthpop-method',
      `method: ${name} was made by the method \`${which}: only \`cart\` is assessed, and \`sample\` of a column that nothing predicts. ${WITHOUT_TREES}`,
      { field: 'method' },
    );
  }
  const smoothed = visitSequence.find((name) => (smoothing[name] ?? '') !== '' && method[name] === TREES);
  if (smoothed !== undefined) {
    throw new UnsupportedOptionError(
      'synthpop-smoothing',
      `smoothing: ${smoothed} was smoothed by \`${smoothing[smoothed]}\`, by another bandwidth than trees have here. Synthesize without smoothing, or use bands. ${WITHOUT_TREES}`,
      { field: 'smoothing' },
    );
  }
  if (others.length === 0) return;
  throw new UnsupportedOptionError(
    'synthpop-argument',
    `others: syn() was called with ${inBackticks(others)}, which trees have no setting for here. Synthesize without. ${WITHOUT_TREES}`,
    { field: 'others' },
  );
}

/** Which predictors all trees have beside the columns synthesized before them. Throws `synthpop-predictors` unless it is all or none. */
function sharedPredictors({ method, visitSequence, predictors }: Synthpop, synthesized: readonly string[]): 'kept' | 'none' {
  const kept = Object.keys(method).filter((name) => method[name] === '');
  const misfit = (others: readonly string[]) => {
    for (const [place, name] of synthesized.entries()) {
      const expected = [...others, ...synthesized.slice(0, place)];
      const own = (predictors[name] ?? []).filter((one) => method[one] !== 'constant');
      const missing = expected.filter((one) => !own.includes(one));
      const beyond = own.filter((one) => !expected.includes(one));
      if (missing.length + beyond.length > 0) return { name, missing, beyond };
    }
    return null;
  };
  if (misfit([]) === null) return 'none';
  const found = misfit(kept);
  if (found === null) return 'kept';
  const { name, missing, beyond } = found;
  const lacks = missing.length > 0 ? ` is not predicted by ${inBackticks(missing)}` : '';
  const has = beyond.length > 0 ? ` is predicted by ${inBackticks(beyond)}, which is not visited before it` : '';
  throw new UnsupportedOptionError(
    'synthpop-predictors',
    `predictors: ${name}${lacks}${lacks && has ? ' and' : ''}${has}. Trees have either all kept columns as predictors or none, beside the columns synthesized before them (${inBackticks(visitSequence)} were visited). Kept columns that predict nothing can be left out: variables: { NAME: { drop: true } }, or drop them from the data frame.`,
    { field: 'predictors' },
  );
}

/** Where no column is kept they are visited as they stand in the table. Throws InvalidConfigError `synthpop-order` otherwise. */
function allInOrder({ method, visitSequence }: Synthpop, name: string): 'all' {
  if (Object.keys(method).join('\n') === visitSequence.join('\n')) return 'all';
  throw new InvalidConfigError(
    'synthpop-order',
    `visitSequence: no column was kept, and they were visited in another order than ${name} and the table have them. Put the columns of the table, of the datasets and of \`method\` in the order of visits.`,
    { file: name, field: 'visitSequence' },
  );
}

/**
 * The settings of trees by which synthpop made a release.
 *
 * @param bytes a JSON document, `name` its file
 * @throws InvalidConfigError `malformed-config`, `invalid-synthpop`, `synthpop-kept-all`, `synthpop-order`
 * @throws UnsupportedOptionError `synthpop-method`, `synthpop-smoothing`, `synthpop-argument`, `synthpop-predictors`
 */
export function synthpopSettings(bytes: Uint8Array, name: string): Settings {
  const document = readYaml(bytes, name);
  if (!isSection(document)) {
    throw new InvalidConfigError(
      'invalid-synthpop',
      `${name} holds no fields, and so not the settings of synthpop. Write them in R, where made is what syn() gave: jsonlite::write_json(synthrisk::synthpop_settings(made), "settings.json", auto_unbox = TRUE, digits = NA).`,
      { file: name },
    );
  }
  const parsed = synthpopSchema.safeParse(document, { error: explainUnknownField, reportInput: true });
  if (!parsed.success) {
    throw new InvalidConfigError('invalid-synthpop', `${name} does not hold the settings of synthpop.\n${z.prettifyError(parsed.error)}`, {
      file: name,
      field: parsed.error.issues[0]!.path.map(String).join('.'),
    });
  }
  const settings = parsed.data;
  refuseUnmapped(settings);
  const { method, visitSequence, minbucket, cp, proper } = settings;
  const synthesized = visitSequence.filter((one) => !KEEPING.includes(method[one] ?? ''));
  if (synthesized.length === 0) {
    throw new InvalidConfigError('synthpop-kept-all', `${name}: every column was kept, so that nothing was synthesized.`, { file: name });
  }
  const predictors = sharedPredictors(settings, synthesized);
  return {
    model: { name: TREES, minimumLeaf: minbucket, complexity: cp, predictors, smoothing: false, proper },
    synthesis: { synthesized: synthesized.length === Object.keys(method).length ? allInOrder(settings, name) : synthesized },
  };
}

/** Refuses a setting that says otherwise than synthpop's settings do (`contradicts-synthpop`). */
export function refuseContradiction(ofSynthpop: Settings, given: Settings): void {
  for (const [section, fields] of Object.entries(ofSynthpop)) {
    const own = given[section];
    if (!isSection(fields) || !isSection(own)) continue;
    for (const [field, value] of Object.entries(fields)) {
      if (own[field] === undefined || JSON.stringify(own[field]) === JSON.stringify(value)) continue;
      throw new InvalidConfigError(
        'contradicts-synthpop',
        `${section}.${field}: synthpop's settings (--synthpop) say otherwise. Leave it out.`,
        { field: `${section}.${field}` },
      );
    }
  }
}
