import { type Document, isScalar, LineCounter, parseDocument, visit, YAMLParseError } from 'yaml';
import * as z from 'zod';
import { type Config, configSchema } from '../config/config.ts';
import { InvalidConfigError } from '../errors.ts';
import { MODELS, modelsWith } from '../models/models.ts';
import { regionRules } from './acceptance-region.ts';
import { acceptanceRules } from './acceptance-rule.ts';
import { didYouMean, nearestName } from './nearest-name.ts';
import { refuseMisfits } from './refuse-misfits.ts';
import { refuseRetired } from './refuse-retired.ts';
import { isSection, type Settings } from './settings.ts';

/** Sections whose fields override one by one; everything else is replaced as a whole. */
const SECTIONS = new Set([...['model', 'mcmc', 'synthesis', 'attributeRisk', 'inherent', 'utility', 'attack', 'calibration']]);

/** What the only one of some scenarios considers and believes; nothing where there are several. */
function single(scenarios: unknown): Settings {
  const [only, ...others] = Array.isArray(scenarios) ? scenarios : [];
  if (!isSection(only) || others.length > 0) return {};
  const { candidates, prior } = only;
  return { ...(candidates === undefined ? {} : { candidates }), ...(prior === undefined ? {} : { prior }) };
}

/** What says how a variable is read: of several layers the last one that says it counts, as a whole. */
const READINGS = ['type', 'categories', 'breaks', 'candidates'];

/** Variables of a later layer over those of an earlier one: each of its fields, and how the variable is read as a whole. */
function overrideVariables(base: Settings, over: Settings): Settings {
  const merged: Settings = { ...base };
  for (const [name, fields] of Object.entries(over)) {
    const earlier = Object.hasOwn(base, name) ? base[name] : undefined;
    if (!isSection(fields) || !isSection(earlier) || fields.drop === true) {
      merged[name] = fields;
      continue;
    }
    const { drop: _, ...kept } = earlier;
    if (READINGS.some((field) => fields[field] !== undefined)) for (const field of READINGS) delete kept[field];
    merged[name] = { ...kept, ...fields };
  }
  return merged;
}

function override(base: Settings, over: Settings): Settings {
  const merged: Settings = { ...base };
  // One scenario that a later layer names stands in place of those before it; of a single one it takes what it does not name.
  if (over.candidates !== undefined || over.prior !== undefined) {
    Object.assign(merged, single(merged.scenarios));
    delete merged.scenarios;
  }
  // So do several stand in place of the one.
  if (over.scenarios !== undefined) {
    delete merged.candidates;
    delete merged.prior;
  }
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    // What is off is on again, with its defaults, where a later layer asks for some of it.
    const empty = merged[key] === undefined || (key === 'utility' && merged[key] === 'off');
    const below = empty ? {} : merged[key];
    if (key === 'variables' && isSection(value) && isSection(below)) {
      merged[key] = overrideVariables(below, value);
      continue;
    }
    if (SECTIONS.has(key) && isSection(value)) {
      // A section that holds something else than fields stays as it is, for the schema to refuse.
      if (isSection(below)) merged[key] = override(below, value);
    } else {
      merged[key] = value;
    }
  }
  return merged;
}

/** What is wrong with a text that is no YAML, without quoting it. */
const MALFORMED: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_INDENT: 'a line is not indented as those around it',
  TAB_AS_INDENT: 'a tab stands where spaces are expected',
  DUPLICATE_KEY: 'a field stands there twice',
  MISSING_CHAR: 'a comma, colon, quote or bracket is missing',
  UNEXPECTED_TOKEN: 'something stands where it cannot',
  MULTIPLE_DOCS: 'it holds several documents (---)',
  BAD_ALIAS: 'a value begins with *; put it in quotes',
  BAD_SCALAR_START: 'a value begins with a sign that has a meaning; put it in quotes',
  BLOCK_IN_FLOW: 'a list or field on lines of its own stands between brackets',
  BLOCK_AS_IMPLICIT_KEY: 'a field stands on the line of another',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing after the name of a field',
  NON_STRING_KEY: 'a list, fields or an alias stand where the name of a field is expected',
};

/** Largest config that is read (bytes): some 100,000 categories. */
const CONFIG_BYTES_MAX = 4 * 1024 * 1024;

/** Refuses a field that stands there twice. The parser's own search for one takes time quadratic in their number. */
function refuseTwice(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) throw new YAMLParseError([key.range![0], key.range![1]], 'DUPLICATE_KEY', '');
        seen.add(key.value);
      }
    },
  });
}

/** What is in a text of YAML; throws the parser's first error, of which only the position says where it is. */
function parseYaml(text: string, lineCounter: LineCounter): unknown {
  // The parser would print its warnings by itself. Names that are fields themselves take it time exponential in their depth, and
  // pretty messages time quadratic in the number of mistakes.
  const document = parseDocument(text, { logLevel: 'error', stringKeys: true, uniqueKeys: false, prettyErrors: false, lineCounter });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  refuseTwice(document);
  return document.toJS();
}

/**
 * What is in a file of YAML, or JSON; an empty one has no fields. What the parser says is not passed on, since it quotes the file.
 *
 * @param name the file's name, for messages
 * @throws InvalidConfigError giving line and column, when the text is not YAML, or is larger than any config
 */
export function readYaml(bytes: Uint8Array, name: string): unknown {
  if (bytes.length > CONFIG_BYTES_MAX) {
    throw new InvalidConfigError('malformed-config', `${name} is larger than 4 MiB, which is the most that a config can have.`, {
      file: name,
    });
  }
  const lineCounter = new LineCounter();
  try {
    return parseYaml(new TextDecoder().decode(bytes), lineCounter) ?? {};
  } catch (error) {
    // Only what the parser finds has a place; an alias without its anchor, for one, has none.
    const start = error instanceof YAMLParseError ? lineCounter.linePos(error.pos[0]) : undefined;
    const place = start ? `, line ${start.line}, column ${start.col}` : '';
    const reason = (error instanceof YAMLParseError && MALFORMED[error.code]) || 'it cannot be read';
    throw new InvalidConfigError('malformed-config', `${name}${place}: not YAML, since ${reason}.`, {
      file: name,
      ...(start ? { row: start.line, column: start.col } : {}),
    });
  }
}

/**
 * The settings in a config file.
 *
 * @throws InvalidConfigError as `readYaml` does, and when it holds no fields
 */
export function parseSettings(bytes: Uint8Array, name: string): Settings {
  const settings = readYaml(bytes, name);
  if (!isSection(settings)) throw new InvalidConfigError('malformed-config', `${name} must hold fields such as "seed: 1".`);
  return settings;
}

/** Fields of a section, whatever default or alternatives it has. */
function fieldsOf(type: z.core.$ZodType): string[] {
  if (type instanceof z.ZodObject) return Object.keys(type.shape);
  if (type instanceof z.ZodUnion) return type.options.flatMap(fieldsOf);
  const { def } = type._zod;
  return 'innerType' in def ? fieldsOf(def.innerType as z.core.$ZodType) : [];
}

/**
 * Says of a field that there is not which ones there are, and which may be meant: one of a similar name, or of its name in a section
 * below; of a field of other models, which models these are. A name that no field has is not told: it may be a value, typed a level too
 * high.
 */
export const explainUnknownField: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type' && issue.input === undefined) return `Missing: expected ${issue.expected}`;
  if (issue.code === 'invalid_value') return explainChoice(issue.input, issue.values.map(String));
  if (issue.inst instanceof z.ZodDiscriminatedUnion) return explainKind(issue.inst, issue.input);
  if (issue.code !== 'unrecognized_keys' || !(issue.inst instanceof z.ZodObject)) return undefined;
  const { shape } = issue.inst;
  const known = Object.keys(shape);
  const only = `expected only ${known.join(', ')}`;
  const ofOthers = MODELS.some(({ settings }) => settings === issue.inst) ? issue.keys.filter((key) => modelsWith(key).length > 0) : [];
  if (ofOthers.length > 0)
    return `Not of this model: ${ofOthers.map((key) => `${key} (of ${modelsWith(key).join(', ')})`).join(', ')}; ${only}`;
  const meant = new Set(
    issue.keys.flatMap((key) => {
      const below = known.filter((section) => fieldsOf(shape[section]).includes(key)).map((section) => `${section}.${key}`);
      return below.length > 0 ? below : (nearestName(key, known) ?? []);
    }),
  );
  const question = meant.size > 0 ? ` (did you mean ${[...meant].join(', ')}?)` : '';
  return `Unknown field${question}: ${only}`;
};

/** Says which words a field takes, and which of them may be meant. */
function explainChoice(input: unknown, choices: readonly string[]): string {
  const meant = typeof input === 'string' ? didYouMean(input, choices) : '';
  return `Invalid option${meant}: expected one of ${choices.map((choice) => JSON.stringify(choice)).join('|')}`;
}

/** The same of a section that is one of several kinds, distinguished by a field such as the name of a model. */
function explainKind(union: z.ZodDiscriminatedUnion, input: unknown): string | undefined {
  const { discriminator } = union.def;
  if (!isSection(input)) return undefined;
  const kinds = union.options.flatMap((option) => [...(option._zod.propValues?.[discriminator] ?? [])]);
  const words = kinds.filter((kind) => typeof kind === 'string');
  return explainChoice(input[discriminator], words);
}

/** Any spelling of a release key as a setting. */
const KEY_SETTING = /^release[-_ ]?key$/i;

/** Refuses a release key that was typed among the settings (`key-in-config`): configs are copied, sent and kept beside results. */
function refuseKeys(settings: Settings): void {
  const sections = Object.values(settings).filter(isSection);
  if (![settings, ...sections].some((section) => Object.keys(section).some((name) => KEY_SETTING.test(name)))) return;
  throw new InvalidConfigError(
    'key-in-config',
    'A release key is no setting: take it out of the config, and give it as a file that only you can read (--release-key FILE). A key that others may have seen in the config opens the release to them: let a new one be made.',
  );
}

/** Whether a value is of another kind than an alternative asks for, rather than a wrong one of that kind. */
const isOtherKind = (ofAlternative: readonly z.core.$ZodIssue[]): boolean =>
  ofAlternative.every(
    (issue) =>
      issue.path.length === 0 && (issue.code === 'invalid_type' || (issue.code === 'invalid_union' && issue.errors.every(isOtherKind))),
  );

/** An issue that says, where a field may be one of several things, what is wrong with it as each of those of its kind. */
function explainAlternatives(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const words = issue.errors.flatMap(([only, ...others]) =>
    only?.code === 'invalid_value' && only.path.length === 0 && others.length === 0 ? only.values : [],
  );
  if (words.length > 0 && typeof issue.input === 'string') {
    const orFields = issue.errors.length > words.length ? ', or fields of its own' : '';
    return { ...issue, message: explainChoice(issue.input, words.map(String)) + orFields };
  }
  const ofItsKind = issue.errors.filter((ofAlternative) => !isOtherKind(ofAlternative));
  const reasons = (ofItsKind.length > 0 ? ofItsKind : issue.errors).map((ofAlternative) =>
    ofAlternative.map(({ message, path }) => message + (path.length > 0 ? ` at ${path.join('.')}` : '')).join(' and '),
  );
  return { ...issue, message: [...new Set(reasons)].join('; or ') };
}

/** Categories that are merged are values: an issue does not say which of them it is of. */
function withoutPlaceInList(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const [section, field, below] = issue.path;
  return section === 'variables' && below === 'merge' ? { ...issue, path: [section, field!, below] } : issue;
}

/**
 * The config that settings make, each overriding those before it, with defaults for the rest.
 *
 * @throws InvalidConfigError listing every field that is wrong, without its value, and what {@link refuseRetired},
 * {@link acceptanceRules}, {@link regionRules} and {@link refuseMisfits} throw
 */
export function completeConfig(...layers: readonly Settings[]): Config {
  const given = layers.reduce(override, {});
  refuseKeys(given);
  refuseRetired(given);
  const parsed = configSchema.safeParse(given, { error: explainUnknownField, reportInput: true });
  if (!parsed.success) {
    const issues = parsed.error.issues.map(explainAlternatives).map(withoutPlaceInList);
    const path = issues[0]!.path.map(String).join('.');
    throw new InvalidConfigError(
      'invalid-config',
      `The config is not valid. \`synthrisk schema\` describes every field.\n${z.prettifyError({ issues })}`,
      path === '' ? {} : { field: path },
    );
  }
  acceptanceRules(parsed.data);
  regionRules(parsed.data);
  refuseMisfits(given, parsed.data);
  return parsed.data;
}
