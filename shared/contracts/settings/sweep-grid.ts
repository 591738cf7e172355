import * as z from 'zod';
import { InvalidConfigError, UnsupportedOptionError } from '../errors.ts';
import { MODEL_NAMES, MODELS, modelsWith } from '../models/models.ts';
import { epsilonSchema, positiveInteger } from '../number-schemas.ts';
import { explainUnknownField } from './complete-config.ts';
import { isSection, type Settings } from './settings.ts';

/** Runs of a sweep at most: a grid of more is a slip, or asks for more than anybody will look at. */
const MOST_RUNS = 200;

const modelName = z.enum(MODEL_NAMES);
const modelEntrySchema = z.union([modelName, z.looseObject({ name: modelName })]);

/** `grid` of the config of a sweep: what is crossed, each with its values. */
const gridSchema = z.strictObject({
  model: z.array(modelEntrySchema).min(1).optional(),
  datasets: z.array(positiveInteger).min(1).optional(),
  classes: z.array(positiveInteger).min(1).optional(),
  synthesized: z
    .array(z.union([z.literal('all'), z.array(z.string()).min(1)]))
    .min(1)
    .optional(),
  epsilon: z.array(epsilonSchema).min(1).optional(),
});

type Grid = z.output<typeof gridSchema>;
type Dimension = keyof Grid;

/** The models that have a dimension; of one that is not here all have it. */
const MODELS_WITH: Partial<Record<Dimension, readonly string[]>> = { classes: modelsWith('classes'), epsilon: modelsWith('epsilon') };

/** The section that each other dimension is in, beside a grid. */
const SECTION_OF = { datasets: 'synthesis', synthesized: 'synthesis', classes: 'model', epsilon: 'model' } as const;

/** Settings that masking has and synthesis has not. */
const OF_MASKING = ['k', 'p', 'method'];

/** One run of a sweep, not yet planned; its folder is called by what differs between the runs. */
type SweptRun = { readonly name: string; readonly settings: Settings };

/**
 * The runs of a sweep, from the settings of its config file: every combination of the values of `grid`, in which a model takes
 * part with the dimensions that it has, and with a set of variables in one order unless it is of trees. Throws InvalidConfigError, and
 * UnsupportedOptionError `masked-runs`.
 */
export function sweptRuns({ grid: given, ...settings }: Settings): SweptRun[] {
  const grid = parseGrid(given);
  refuseSaidTwice(grid, settings);
  const models = grid.model ?? [undefined];
  if (!models.some((model) => isOrdered(nameOf(model, settings))) && grid.synthesized?.some(isReordered)) {
    throw new InvalidConfigError('repeated-value', 'grid.synthesized: a set of variables is there twice, in another order.');
  }
  const runs = models.flatMap((model, place) => crossed(grid, settings, model, place));
  for (const [dimension, having] of Object.entries(MODELS_WITH) as [Dimension, readonly string[]][]) {
    if (grid[dimension] === undefined) continue;
    if (models.some((model) => having.includes(nameOf(model, settings)))) continue;
    throw new InvalidConfigError('unused-dimension', `grid.${dimension}: no model of this sweep has it; it is of ${having.join(' and ')}.`);
  }
  if (runs.length < 2) throw new InvalidConfigError('too-few-runs', 'The grid gives a single run: there is nothing to compare.');
  if (runs.length > MOST_RUNS) {
    throw new InvalidConfigError('too-many-runs', `The grid gives ${runs.length} runs, more than ${MOST_RUNS}: take values away.`);
  }
  return runs;
}

function parseGrid(given: unknown): Grid {
  if (given === undefined) {
    throw new InvalidConfigError(
      'no-grid',
      'The config of a sweep has a field `grid` with values to cross, as "grid: { datasets: [1, 5], classes: [20, 40] }".',
    );
  }
  if (isSection(given) && OF_MASKING.some((name) => name in given)) {
    throw new UnsupportedOptionError(
      'masked-runs',
      'grid: a sweep is of synthetic data. What `mask` makes is no run: sweep its settings by its own command.',
    );
  }
  const parsed = gridSchema.safeParse(given, { error: explainUnknownField });
  if (!parsed.success) throw new InvalidConfigError('invalid-grid', `grid is not valid.\n${z.prettifyError(parsed.error)}`);
  for (const [dimension, values] of Object.entries(parsed.data as Readonly<Record<string, unknown[]>>)) {
    if (new Set(values.map((value) => JSON.stringify(value))).size === values.length) continue;
    throw new InvalidConfigError('repeated-value', `grid.${dimension}: a value is there twice.`);
  }
  return parsed.data;
}

/** Whether a model synthesizes variables in the order in which they are named, as trees do. */
const isOrdered = (model: string) => MODELS.some(({ name, method }) => name === model && method === 'grown');

/** Whether a set of variables stands before in another order. */
function isReordered(set: 'all' | string[], place: number, sets: readonly ('all' | string[])[]): boolean {
  const sorted = (one: 'all' | string[]) => JSON.stringify([...one].sort());
  return set !== 'all' && sets.slice(0, place).some((before) => before !== 'all' && sorted(before) === sorted(set));
}

/** Refuses what the grid would override: in the section of all runs, or in a model of the grid. */
function refuseSaidTwice(grid: Grid, settings: Settings): void {
  for (const [dimension, section] of Object.entries(SECTION_OF) as [keyof typeof SECTION_OF, string][]) {
    const said = [settings[section], ...(section === 'model' ? (grid.model ?? []) : [])];
    if (grid[dimension] === undefined || !said.some((own) => isSection(own) && own[dimension] !== undefined)) continue;
    throw new InvalidConfigError('said-twice', `grid.${dimension}: ${section} says ${dimension} as well. Expected one of them.`);
  }
}

/** The name of a model of the grid, or that of all runs. */
function nameOf(entry: NonNullable<Grid['model']>[number] | undefined, { model: ofAll }: Settings): string {
  if (typeof entry === 'string') return entry;
  return String(entry?.name ?? (isSection(ofAll) ? ofAll.name : undefined) ?? MODEL_NAMES[0]);
}

function crossed(grid: Grid, settings: Settings, model: NonNullable<Grid['model']>[number] | undefined, place: number): SweptRun[] {
  const name = nameOf(model, settings);
  const own = isSection(settings.model) ? settings.model : {};
  // What is said of the model of all runs holds for the model of that name.
  const base = typeof model === 'object' ? model : nameOf(undefined, settings) === name ? own : {};
  const has = (dimension: Dimension) => MODELS_WITH[dimension]?.includes(name) ?? true;
  const valuesOf = <D extends Dimension>(dimension: D) => (has(dimension) ? (grid[dimension] ?? [undefined]) : [undefined]);
  const names = (grid.model ?? []).map((one) => nameOf(one, settings));
  const unique = names.filter((one) => one === name).length === 1;
  const parts = (dimension: Dimension, text: string) =>
    has(dimension) && (grid[dimension]?.length ?? 0) > 1 ? [`${dimension}-${text}`] : [];
  const synthesis = isSection(settings.synthesis) ? settings.synthesis : {};
  return valuesOf('datasets').flatMap((datasets) =>
    valuesOf('classes').flatMap((classes) =>
      valuesOf('epsilon').flatMap((epsilon) =>
        valuesOf('synthesized').flatMap((synthesized, set): SweptRun[] => {
          if (synthesized && !isOrdered(name) && isReordered(synthesized, set, grid.synthesized!)) return [];
          const given = { ...(classes ? { classes } : {}), ...(epsilon ? { epsilon } : {}) };
          const run = {
            name: [
              ...(names.length > 1 ? [unique ? name : `${name}-${place + 1}`] : []),
              ...parts('datasets', String(datasets)),
              ...parts('classes', String(classes)),
              ...parts('epsilon', String(epsilon)),
              ...parts('synthesized', String(set + 1)),
            ].join('_'),
            settings: {
              ...settings,
              model: { ...base, ...(model === undefined && own.name === undefined ? {} : { name }), ...given },
              synthesis: { ...synthesis, ...(datasets ? { datasets } : {}), ...(synthesized ? { synthesized } : {}) },
            },
          };
          return [run];
        }),
      ),
    ),
  );
}
