import * as z from 'zod';
import { InvalidConfigError } from '../errors.ts';
import { environmentNameSchema, FIT_TASKS_EXPECTED, MOST_FIT_TASKS, timeFactorsSchema } from './cloud-environment.ts';
import { CLOUD_LIMITS } from './cloud-prices.ts';
import { isOfIdentityCenter, PEOPLE, type PersonRole, principalsOf, principalsSchema, sharedPrincipals } from './people-principals.ts';

/** A whole number, also as the text that `cdk -c name=value` hands over. */
function wholeNumber(least: number, most: number) {
  const inRange = z.int().min(least).max(most);
  const text = z.string().regex(/^\d+$/).transform(Number);
  return z.union([inRange, text.pipe(inRange)], `expected a whole number from ${least} to ${most}`);
}

/** Yes or no, also as the text that `cdk -c name=value` hands over. */
const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], 'expected true or false');

/** Several names, also as the text with commas that `cdk -c name=value` hands over. */
function names(pattern: RegExp, expected: string) {
  const list = z.array(z.string().regex(pattern)).min(1);
  const text = z.string().transform((joined) => joined.split(','));
  return z.union([list, text.pipe(list)], `expected ${expected}`);
}

/** A text of a form. */
const formed = (pattern: RegExp, expected: string) => z.string().regex(pattern, `expected ${expected}`);
const KEY_ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[\w-]+$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const POLICY_ARN = /^arn:aws[a-z-]*:iam::(?:aws|\d{12}):policy\/[\w+=,.@/-]+$/;

const tagsSchema = z.record(z.string().regex(/^(?!aws:)[\w\s.:/=+@-]{1,128}$/), z.string().regex(/^[\w\s.:/=+@-]{0,256}$/));

/** The partition that a region is in, by its name. */
function partitionOf(region: string): 'aws' | 'aws-us-gov' | 'aws-cn' {
  if (region.startsWith('us-gov-')) return 'aws-us-gov';
  return region.startsWith('cn-') ? 'aws-cn' : 'aws';
}

/** Memory in GiB that Fargate offers with each number of vCPU: least, most, step. */
const FARGATE_MEMORY_GIB: Readonly<Record<number, readonly [number, number, number]>> = {
  1: [2, 8, 1],
  2: [4, 16, 1],
  4: [8, 30, 1],
  8: [16, 60, 4],
  16: [32, 120, 8],
};

/** Days of retention that CloudWatch Logs offers. */
const LOG_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653];

/** An Express child ends after 5 minutes, whatever it is doing; its three attempts and their pauses must fit in. */
const LONGEST_EXPRESS_ATTEMPT_SECONDS = 90;

/** What may stand in a settings file. */
export const environmentFileSchema = z.strictObject({
  environment: environmentNameSchema.default('dev'),
  namePrefix: environmentNameSchema.default('synthrisk'),
  account: z
    .union([z.string(), z.number().transform(String)])
    .pipe(formed(/^\d{12}$/, 'the 12 digits of an account, in quotes'))
    .optional(),
  region: formed(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as us-gov-west-1').optional(),
  partition: z.enum(['aws', 'aws-us-gov', 'aws-cn']).optional(),
  vpcId: formed(/^vpc-[0-9a-f]+$/, 'vpc-…').optional(),
  subnetIds: names(/^subnet-[0-9a-f]+$/, 'a list of subnet-…').optional(),
  routeTableIds: names(/^rtb-[0-9a-f]+$/, 'a list of rtb-…').optional(),
  storageEndpointId: formed(/^vpce-[0-9a-f]+$/, 'vpce-…').optional(),
  interfaceEndpoints: z.enum(['create', 'existing']).default('create'),
  bucketName: formed(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket').optional(),
  dataKeyArn: formed(KEY_ARN, 'the ARN of a KMS key').optional(),
  operationsKeyArn: formed(KEY_ARN, 'the ARN of a KMS key').optional(),
  permissionsBoundaryArn: formed(POLICY_ARN, 'the ARN of a managed policy').optional(),
  rolePath: formed(/^\/([\w+=,.@-]+\/)*$/, 'a path such as /agency/synthrisk/').default('/'),
  tags: tagsSchema.default({}),
  peopleArns: principalsSchema.optional(),
  submitterArns: principalsSchema.optional(),
  operatorArns: principalsSchema.optional(),
  confidentialReaderArns: principalsSchema.optional(),
  releaseReaderArns: principalsSchema.optional(),
  approverArns: principalsSchema.optional(),
  purgerArns: principalsSchema.optional(),
  approverApart: yesOrNo.default(false),
  peopleTags: tagsSchema.default({}),
  peopleMfa: yesOrNo.default(false),
  peopleSources: names(
    /^([\d.]+\/\d{1,2}|[\da-f:]+:[\da-f:]*\/\d{1,3}|vpce-[\da-f]+)$/,
    'a list of ranges of addresses (203.0.113.0/24) or vpce-…',
  ).optional(),
  engine: z.enum(['fargate', 'lambda']).default('fargate'),
  mapType: z.enum(['EXPRESS', 'STANDARD']).optional(),
  mapConcurrency: wholeNumber(1, 10_000).default(400),
  reservedConcurrency: wholeNumber(1, 100_000).optional(),
  batchSize: wholeNumber(1, 1_000_000).optional(),
  assessMemoryMiB: wholeNumber(512, 10_240).default(1769),
  assessTimeoutSeconds: wholeNumber(10, 900).default(90),
  stepMemoryMiB: wholeNumber(512, 10_240).default(3008),
  fitVcpu: wholeNumber(1, 16).default(4),
  fitMemoryGiB: wholeNumber(2, 120).default(8),
  fitTimeoutHours: wholeNumber(1, 168).default(12),
  fitTasks: z.union([z.literal('auto'), wholeNumber(1, MOST_FIT_TASKS)], FIT_TASKS_EXPECTED).default(1),
  fitSpot: yesOrNo.default(false),
  fargateVcpu: wholeNumber(1, 10_000).optional(),
  lookAhead: z.enum(['refuse', 'warn']).default('refuse'),
  timeFactors: timeFactorsSchema.optional(),
  runTimeoutHours: wholeNumber(1, 336).default(24),
  oldRunHours: wholeNumber(1, 336).default(18),
  budgetDollars: wholeNumber(1, 100_000).optional(),
  dailyDollars: wholeNumber(1, 100_000).default(50),
  stopDollars: wholeNumber(1, 100_000).optional(),
  changeAlerts: yesOrNo.default(true),
  trail: z.enum(['none', 'data', 'all']).default('none'),
  intermediateDays: wholeNumber(1, 3650).default(30),
  tableDays: wholeNumber(1, 3650).default(30),
  resultDays: wholeNumber(1, 36_500).optional(),
  objectLock: z.enum(['none', 'governance', 'compliance']).default('none'),
  objectLockDays: wholeNumber(1, 36_500).optional(),
  objectLockWritten: yesOrNo.default(false),
  noncurrentDays: wholeNumber(1, 3650).default(30),
  logDays: wholeNumber(1, 3653)
    .refine((days) => LOG_DAYS.includes(days), `expected one of ${LOG_DAYS.join(', ')}`)
    .default(365),
  availabilityZones: wholeNumber(1, 3).default(2),
  workflowVersions: yesOrNo.default(true),
  terminationProtection: yesOrNo.default(true),
  notifyEmail: z.email().optional(),
  baseImage: z.string().min(1).default('node:24-slim'),
  baseImageDigest: formed(DIGEST, 'sha256:…').optional(),
  imageDigest: formed(DIGEST, 'sha256:…').optional(),
});

const settingsSchema = environmentFileSchema
  .transform(({ fargateVcpu, mapType, ...rest }) => ({
    ...rest,
    // What an account has at first, and one task whatever that takes.
    fargateVcpu: fargateVcpu ?? Math.max(CLOUD_LIMITS.fargateVcpus, rest.fitVcpu),
    // The emulator that has no containers has no Express children either.
    mapType: mapType ?? (rest.engine === 'fargate' ? ('EXPRESS' as const) : ('STANDARD' as const)),
  }))
  .superRefine((settings, check) => {
    const refuse = (name: string, message: string) => check.addIssue({ code: 'custom', path: [name], message });
    const { partition, region, routeTableIds, storageEndpointId, subnetIds, vpcId } = settings;
    if (partition !== undefined && region !== undefined && partitionOf(region) !== partition) {
      refuse('partition', `expected ${partitionOf(region)} with region ${region}`);
    }
    for (const name of ['dataKeyArn', 'operationsKeyArn', 'permissionsBoundaryArn'] as const) {
      const [, place, service, where] = settings[name]?.split(':') ?? [];
      if (place === undefined) continue;
      if (service === 'kms' && region !== undefined && where !== region) refuse(name, `expected a key in region ${region}`);
      const wanted = partition ?? (region && partitionOf(region));
      if (wanted !== undefined && place !== wanted) refuse(name, `expected an ARN of partition ${wanted}`);
    }
    for (const [role, name] of Object.entries(PEOPLE)) {
      const arns = principalsOf(settings, role as PersonRole);
      const setting = settings[name] === undefined ? 'peopleArns' : name;
      const wanted = partition ?? (region && partitionOf(region));
      if (wanted !== undefined && arns.some((arn) => arn.split(':')[1] !== wanted)) refuse(setting, `expected ARNs of partition ${wanted}`);
      if (settings.peopleMfa && arns.some(isOfIdentityCenter)) {
        refuse(
          'peopleMfa',
          `expected false with roles of IAM Identity Center (${setting}): ask for the second factor there, their sessions do not say`,
        );
      }
    }
    const both = settings.approverApart ? sharedPrincipals(settings, 'Approver', 'Submitter') : [];
    if (both.length > 0) refuse('approverArns', `expected with approverApart none of those who may take Submitter: ${both.join(', ')}`);
    if (vpcId === undefined) {
      for (const [name, value] of Object.entries({ subnetIds, routeTableIds, storageEndpointId })) {
        if (value !== undefined) refuse(name, 'expected only with vpcId');
      }
      if (settings.interfaceEndpoints === 'existing') refuse('interfaceEndpoints', 'expected create without vpcId');
    } else {
      if (subnetIds === undefined) refuse('subnetIds', 'expected with vpcId');
      if ((storageEndpointId === undefined) === (routeTableIds === undefined)) {
        refuse('storageEndpointId', 'expected with vpcId: either that, or routeTableIds for one that is made');
      } else if (routeTableIds !== undefined && routeTableIds.length !== subnetIds?.length) {
        refuse('routeTableIds', 'expected one for each of subnetIds, in their order');
      }
    }
    // The bucket's own encryption cannot be set, and steps may use no key but the named one.
    if ((settings.bucketName === undefined) !== (settings.dataKeyArn === undefined)) {
      refuse('dataKeyArn', 'expected with bucketName, and only with it: the key that the bucket encrypts with');
    }
    const memory = FARGATE_MEMORY_GIB[settings.fitVcpu];
    if (memory === undefined) {
      refuse('fitVcpu', `expected one of ${Object.keys(FARGATE_MEMORY_GIB).join(', ')}`);
    } else {
      const [least, most, step] = memory;
      const { fitMemoryGiB: size } = settings;
      if (size < least || size > most || size % step !== 0) {
        refuse('fitMemoryGiB', `expected ${least} to ${most} in steps of ${step} with fitVcpu ${settings.fitVcpu}`);
      }
    }
    if (settings.mapType === 'EXPRESS' && settings.assessTimeoutSeconds > LONGEST_EXPRESS_ATTEMPT_SECONDS) {
      refuse('assessTimeoutSeconds', `expected ${LONGEST_EXPRESS_ATTEMPT_SECONDS} at most with mapType EXPRESS`);
    }
    if (settings.engine === 'fargate' && settings.fargateVcpu < settings.fitVcpu) {
      refuse('fargateVcpu', `expected ${settings.fitVcpu} at least, which one task takes (fitVcpu)`);
    }
    if (settings.engine === 'lambda' && settings.fitSpot) {
      refuse('fitSpot', 'expected false with engine lambda: functions have no spare capacity');
    }
    if ((settings.reservedConcurrency ?? settings.mapConcurrency) < settings.mapConcurrency) {
      refuse('reservedConcurrency', 'expected mapConcurrency at least, which one run takes');
    }
    for (const name of ['fitTimeoutHours', 'oldRunHours'] as const) {
      if (settings[name] > settings.runTimeoutHours) refuse(name, 'expected no more than runTimeoutHours');
    }
    // Lifecycle rules count from the midnight that follows; a day more, so that a run that is late can be gone on with.
    const leastDays = Math.ceil(settings.runTimeoutHours / 24) + 1;
    for (const name of ['intermediateDays', 'tableDays', 'resultDays'] as const) {
      if ((settings[name] ?? leastDays) >= leastDays) continue;
      refuse(name, `expected ${leastDays} at least with runTimeoutHours ${settings.runTimeoutHours}`);
    }
    if ((settings.objectLock === 'none') !== (settings.objectLockDays === undefined)) {
      refuse('objectLockDays', 'expected with objectLock governance or compliance, and with these alone');
    }
    if (settings.objectLockWritten && settings.objectLock !== 'none') {
      refuse('objectLockWritten', 'expected with objectLock none alone');
    }
    if (settings.stopDollars !== undefined && settings.stopDollars < settings.dailyDollars) {
      refuse('stopDollars', 'expected dailyDollars at least, at which the alarm is raised');
    }
  });

/** Everything about an environment that is decided before it is deployed; `docs/how-to/cloud.md` explains each. */
export type Settings = z.output<typeof settingsSchema>;

/**
 * Reads the settings from CDK context, completed with defaults. Keys with a colon, a slash or an at sign are those of CDK
 * itself; any other key must be a setting, so that a misspelt one is not passed over (InvalidConfigError `invalid-context`).
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const own = Object.fromEntries(Object.entries(context).filter(([key]) => !/[@:/]/.test(key)));
  for (const name of ['tags', 'peopleTags']) {
    const text = own[name];
    if (typeof text === 'string') own[name] = Object.fromEntries(text.split(',').map(halves));
  }
  const result = settingsSchema.safeParse(own);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'context'}: ${message}`);
  throw new InvalidConfigError('invalid-context', problems.join('; '));
}

/** `key=value`, as a pair; what lacks the sign has no value, and is refused with the rest. */
function halves(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)];
}

/** What differs between deployed settings, with defaults for those that an earlier version did not have, and those that are wanted. */
export function settingsChanges(deployed: Readonly<Record<string, unknown>>, wanted: Settings): readonly string[] {
  const before: Readonly<Record<string, unknown>> = settingsSchema.safeParse(deployed).data ?? deployed;
  const after: Readonly<Record<string, unknown>> = wanted;
  const text = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter((name) => text(before[name]) !== text(after[name]))
    .map((name) => `${name}: ${text(before[name])} becomes ${text(after[name])}`);
}
