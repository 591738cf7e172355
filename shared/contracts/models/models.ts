import * as z from 'zod';
import { cartFacts } from './cart.ts';
import { betaBinomialFacts, dirichletMultinomialFacts } from './counts.ts';
import { arealFacts } from './dp-areal.ts';
import { dpmpmFacts } from './dpmpm.ts';
import { mixedFacts } from './mixed.ts';
import type { ModelFacts } from './model-facts.ts';

/** The models that a config may name; without a name the first. */
export const MODELS = [dpmpmFacts, arealFacts, cartFacts, mixedFacts, betaBinomialFacts, dirichletMultinomialFacts] as const;

type Each<Models extends readonly ModelFacts[], Field extends keyof ModelFacts> = {
  -readonly [Place in keyof Models]: Models[Place][Field];
};

/** Names of the models. */
export const MODEL_NAMES = MODELS.map(({ name }) => name) as Each<typeof MODELS, 'name'>;

/** Settings of the synthesizer of a run. */
export const modelSchema = z.discriminatedUnion('name', MODELS.map(({ settings }) => settings) as Each<typeof MODELS, 'settings'>);

/** The settings of a model, with all defaults. */
export type Model = z.output<typeof modelSchema>;

/** Name of a model. */
export type ModelName = Model['name'];

/** The settings of the model of a name. */
type SettingsOf<Name extends ModelName> = Extract<Model, { name: Name }>;

/** The names of the models that a field of settings is of. */
export const modelsWith = (field: string): ModelName[] => MODELS.filter(({ settings }) => field in settings.shape).map(({ name }) => name);

/** What there is to know of the model of a name, such as a config or a summary has it. Throws RangeError for another name. */
export function factsOf({ name }: { readonly name: string }): ModelFacts {
  const facts = MODELS.find((own) => own.name === name);
  if (facts === undefined) throw new RangeError('no model has that name');
  return facts;
}

/** The settings of a model where it has one of some names. Throws RangeError where it has another. */
export function settingsOf<Name extends ModelName>(model: Model, ...names: readonly Name[]): SettingsOf<Name> {
  if (!(names as readonly string[]).includes(model.name)) throw new RangeError(`the model is ${model.name}`);
  return model as SettingsOf<Name>;
}

/** Epsilon of the differential privacy that a model promises, in nats for all datasets; null where it promises none. */
export const epsilonOf = (model: Model): number | null => ('epsilon' in model ? model.epsilon : null);
