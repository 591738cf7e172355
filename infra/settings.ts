import { z } from 'zod';
import { environmentNameSchema } from '../shared/contracts/cloud/cloud-environment.ts';
import { InvalidConfigError } from '../shared/contracts/errors.ts';

/** A whole number, also as the text that `cdk -c name=value` hands over. */
function wholeNumber(least: number, most: number) {
  const inRange = z.int().min(least).max(most);
  const text = z
    .string()
    .regex(/^\d+$/)
    .transform((digits) => Number(digits));
  return z.union([inRange, text.pipe(inRange)], `expected a whole number from ${least} to ${most}`);
}

/** Yes or no, also as the text that `cdk -c name=value` hands over. */
const yesOrNo = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  'expected true or false',
);

/** Memory in GiB that Fargate offers with each number of vCPU: least, most, step. */
const FARGATE_MEMORY_GIB: Readonly<Record<number, readonly [number, number, number]>> = {
  1: [2, 8, 1],
  2: [4, 16, 1],
  4: [8, 30, 1],
  8: [16, 60, 4],
  16: [32, 120, 8],
};

/** Days of retention that CloudWatch Logs offers. */
const LOG_DAYS = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731],
  ...[1096, 1827, 2192, 2557, 2922, 3288, 3653],
];

/** An Express child ends after 5 minutes, whatever it is doing; its three attempts and their pauses must fit in. */
const LONGEST_EXPRESS_ATTEMPT_SECONDS = 90;

const contextSchema = z.strictObject({
  environment: environmentNameSchema.default('dev'),
  engine: z.enum(['fargate', 'lambda']).default('fargate'),
  mapType: z.enum(['EXPRESS', 'STANDARD']).optional(),
  mapConcurrency: wholeNumber(1, 10_000).default(400),
  batchSize: wholeNumber(1, 1_000_000).optional(),
  assessMemoryMiB: wholeNumber(512, 10_240).default(1769),
  assessTimeoutSeconds: wholeNumber(10, 900).default(90),
  stepMemoryMiB: wholeNumber(512, 10_240).default(3008),
  fitVcpu: wholeNumber(1, 16).default(4),
  fitMemoryGiB: wholeNumber(2, 120).default(8),
  fitTimeoutHours: wholeNumber(1, 168).default(12),
  runTimeoutHours: wholeNumber(1, 336).default(24),
  oldRunHours: wholeNumber(1, 336).default(18),
  budgetDollars: wholeNumber(1, 100_000).optional(),
  dailyDollars: wholeNumber(1, 100_000).default(50),
  intermediateDays: wholeNumber(1, 3650).default(30),
  noncurrentDays: wholeNumber(1, 3650).default(30),
  logDays: wholeNumber(1, 3653)
    .refine((days) => LOG_DAYS.includes(days), `expected one of ${LOG_DAYS.join(', ')}`)
    .default(365),
  availabilityZones: wholeNumber(1, 3).default(2),
  workflowVersions: yesOrNo.default(true),
  terminationProtection: yesOrNo.default(true),
  notifyEmail: z.email().optional(),
  baseImage: z.string().min(1).optional(),
});

const settingsSchema = contextSchema
  .transform(({ mapType, ...rest }) => ({
    ...rest,
    // The emulator that has no containers has no Express children either.
    mapType: mapType ?? (rest.engine === 'fargate' ? ('EXPRESS' as const) : ('STANDARD' as const)),
  }))
  .superRefine((settings, check) => {
    const refuse = (name: string, message: string) =>
      check.addIssue({ code: 'custom', path: [name], message });
    const memory = FARGATE_MEMORY_GIB[settings.fitVcpu];
    if (memory === undefined) {
      refuse('fitVcpu', `expected one of ${Object.keys(FARGATE_MEMORY_GIB).join(', ')}`);
    } else {
      const [least, most, step] = memory;
      const { fitMemoryGiB: size } = settings;
      if (size < least || size > most || size % step !== 0) {
        refuse(
          'fitMemoryGiB',
          `expected ${least} to ${most} in steps of ${step} with fitVcpu ${settings.fitVcpu}`,
        );
      }
    }
    if (settings.mapType === 'EXPRESS' && settings.assessTimeoutSeconds > LONGEST_EXPRESS_ATTEMPT_SECONDS) {
      refuse(
        'assessTimeoutSeconds',
        `expected ${LONGEST_EXPRESS_ATTEMPT_SECONDS} at most with mapType EXPRESS`,
      );
    }
    if (settings.fitTimeoutHours > settings.runTimeoutHours) {
      refuse('fitTimeoutHours', 'expected no more than runTimeoutHours');
    }
    // Lifecycle rules count from the midnight that follows; a day more, so that a run that is late can be gone on with.
    const leastDays = Math.ceil(settings.runTimeoutHours / 24) + 1;
    if (settings.intermediateDays < leastDays) {
      refuse(
        'intermediateDays',
        `expected ${leastDays} at least with runTimeoutHours ${settings.runTimeoutHours}`,
      );
    }
    if (settings.oldRunHours > settings.runTimeoutHours) {
      refuse('oldRunHours', 'expected no more than runTimeoutHours');
    }
  });

/** Everything about an environment that is decided before it is deployed; `docs/cloud.md` explains each. */
export type Settings = z.output<typeof settingsSchema>;

/** The names of the settings, for the table in `docs/cloud.md`. */
export const SETTING_NAMES = Object.keys(contextSchema.shape) as (keyof Settings)[];

/**
 * Reads the settings from CDK context, completed with defaults. Keys with a colon, a slash or an at sign are those
 * of CDK itself; any other key must be a setting, so that a misspelt one is not passed over.
 *
 * @throws InvalidConfigError `invalid-context`, naming each setting and what was expected.
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const own = Object.fromEntries(Object.entries(context).filter(([key]) => !/[@:/]/.test(key)));
  const result = settingsSchema.safeParse(own);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'context'}: ${message}`,
  );
  throw new InvalidConfigError('invalid-context', problems.join('; '));
}
