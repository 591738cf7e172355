import * as z from 'zod';
import { CLOUD_STEPS, type CloudStep, type childTypeSchema } from '../run/usage.ts';

/** Name of an environment, or what its names begin with where an agency has a rule for names. */
export const environmentNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,19}$/, 'expected up to 20 small letters, digits and hyphens, a letter first');

/** Physical names in an account and region, by which the command line finds an environment. */
export function environmentNames(environment: string, prefix = 'synthrisk') {
  const stack = `${prefix}-${environment}`;
  return {
    stack,
    workflow: stack,
    assessFunction: `${stack}-assess-batch`,
    /** Alias of the key that signs manifests. */
    signingKey: `alias/${stack}-manifests`,
  };
}

/** Services whose interface endpoints the network of an environment has to have, beside the S3 gateway endpoint. */
export const interfaceServices = (engine: 'fargate' | 'lambda') =>
  engine === 'fargate' ? (['kms', 'ecr.api', 'ecr.dkr', 'logs'] as const) : (['kms'] as const);

/** The alias of a workflow and of a function under which what is deployed is called from outside. */
export const LIVE = 'live';

/** SHA-256 (hexadecimal) of the code of all steps of an environment. */
export const codeDigestSchema = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');

/** Of the memory of the function that assesses, what may hold the table and the draws between calls. */
export const SHARE_FOR_INPUTS = 0.5;

/**
 * Parts of a round that are read at once by the steps that put them together: at 30 ms to the first byte that is 2,100 a
 * second, well below the 5,500 that S3 answers in a prefix, and some tens of MB in memory.
 */
export const PARTS_AT_ONCE = 64;

/** The same of what parts say of values, which is the most that they have: all of it together would not be held. */
export const VALUE_PARTS_AT_ONCE = 8;

/** Size of the container task that puts the results of a large run together: the most memory that Fargate gives so few vCPU. */
export const CLOSING_TASK = { vcpus: 4, memoryGiB: 30 } as const;

/** Tasks that may share the chains of a round: as many as one state of the workflow maps over at once. */
export const MOST_FIT_TASKS = 40;
/** What a number of such tasks is. */
export const FIT_TASKS_EXPECTED = `expected auto, or a whole number from 1 to ${MOST_FIT_TASKS}`;

/** A factor for each of some steps, as a setting and as the value of a tag, which has no commas. */
const FACTOR = `(?:${CLOUD_STEPS.join('|')})=(?=[\\d.]*[1-9])\\d+(?:\\.\\d+)?`;

/** Factors of some steps. */
export const timeFactorsSchema = z
  .string()
  .regex(
    new RegExp(`^${FACTOR}(?: ${FACTOR})*$`),
    `expected factors of some of the steps ${CLOUD_STEPS.join(', ')}, such as fit=1.2 assess=0.9`,
  );

/** Factors by which processor time is multiplied where it is predicted, by step. */
export type TimeFactors = Readonly<Record<CloudStep, number>>;

/** What a setting says of them: 1 for a step that it does not name. */
export function readTimeFactors(text: string | undefined): TimeFactors {
  const given = Object.fromEntries((text?.split(' ') ?? []).map((one) => one.split('=') as [string, string]));
  return Object.fromEntries(CLOUD_STEPS.map((step) => [step, Number(given[step] ?? 1)])) as TimeFactors;
}

const positive = z.coerce.number().int().positive();

/** What an environment is, as its settings, the tags of a function and the environments of all functions tell it. */
export const environmentSizeSchema = z.object({
  engine: z.enum(['fargate', 'lambda']),
  mapType: z.enum(['EXPRESS', 'STANDARD']),
  mapConcurrency: positive,
  batchSize: positive.optional(),
  assessMemoryMiB: positive,
  assessTimeoutSeconds: positive,
  stepMemoryMiB: positive,
  fitVcpu: positive,
  fitMemoryGiB: positive,
  fitTimeoutHours: positive,
  /** Tasks that share the chains of a round, unless an upload says otherwise. */
  fitTasks: z.union([z.literal('auto'), positive]),
  /** vCPU that all container tasks may have at once. */
  fargateVcpu: positive,
  /** Batches of all runs at once, where that is bounded. */
  reservedConcurrency: positive.optional(),
  /** What becomes of a run that the environment is not expected to end. */
  lookAhead: z.enum(['refuse', 'warn']),
  /** What predicted times are multiplied by, as `cloud predictions` found it for earlier runs. */
  timeFactors: timeFactorsSchema.optional(),
  /** What a run may cost unless its upload says otherwise (dollars). */
  budgetDollars: z.coerce.number().positive().optional(),
});

/** The settings of an environment that decide what a run in it takes and costs. */
export type EnvironmentSize = z.output<typeof environmentSizeSchema>;

/** What the map of an environment starts for each batch. */
export function childType({ mapType }: Pick<EnvironmentSize, 'mapType'>): z.output<typeof childTypeSchema> {
  return mapType === 'EXPRESS' ? 'express' : 'standard';
}

/** The size of an environment for its functions, as JSON. */
export const encodeSize = (settings: EnvironmentSize): string => JSON.stringify(environmentSizeSchema.parse(settings));

const PREFIX = 'synthrisk:';

/** Tags of the same function: where events go that are not delivered, and whether uploads start the workflow by its alias. */
export const UPLOAD_TAGS = { queue: `${PREFIX}undelivered`, versions: `${PREFIX}workflowVersions` } as const;

/** Tags of the function `assess-batch` that tell the size of its environment. */
export function sizeTags(settings: EnvironmentSize): Record<string, string> {
  const size = environmentSizeSchema.parse(settings);
  return Object.fromEntries(Object.entries(size).map(([name, value]) => [PREFIX + name, String(value)]));
}

/** The size that {@link sizeTags} told, or null for tags of anything else. */
export function readSizeTags(tags: Readonly<Record<string, string>>): EnvironmentSize | null {
  const own = Object.entries(tags)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, value]) => [name.slice(PREFIX.length), value]);
  return environmentSizeSchema.safeParse(Object.fromEntries(own)).data ?? null;
}
