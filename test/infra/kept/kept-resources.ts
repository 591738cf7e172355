import { type Synthesized, synthesize } from '../synthesize.ts';

/**
 * What keeps data in an environment, with the properties that can be set when it is made alone (`createOnlyProperties` of AWS's schemas of
 * resources): another value of one makes CloudFormation put a new resource in its place.
 */
const CREATE_ONLY: Readonly<Record<string, readonly string[]>> = {
  'AWS::S3::Bucket': ['BucketName', 'ObjectLockEnabled'],
  'AWS::KMS::Key': [],
  'AWS::KMS::Alias': ['AliasName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::SQS::Queue': ['FifoQueue', 'QueueName'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
};

/** The settings with which templates of versions are compared. */
const COMPARED: Readonly<Record<string, Record<string, unknown>>> = {
  default: {},
  functions: { engine: 'lambda' },
  locked: { objectLock: 'governance', objectLockDays: 30 },
  watched: { trail: 'all', notifyEmail: 'a@b.example', resultDays: 400 },
};

/** Of each resource that keeps data, by its logical id, its type and what it is made with. */
export type KeptResources = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The resources of an environment that keep data. */
export function keptResources({ resources }: Pick<Synthesized, 'resources'>): KeptResources {
  const kept = Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => {
    const names = Object.hasOwn(CREATE_ONLY, Type) ? CREATE_ONLY[Type]! : null;
    if (names === null) return [];
    const made = names.filter((name) => Object.hasOwn(Properties, name)).map((name) => [name, Properties[name]]);
    return [[id, { Type, ...Object.fromEntries(made) }] as const];
  });
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Those of compared settings, by name, with what more of settings is wanted of each. */
export const allKept = (
  names: readonly string[] = Object.keys(COMPARED),
  more: (name: string) => Record<string, unknown> = () => ({}),
): Record<string, KeptResources> =>
  Object.fromEntries(names.map((name) => [name, keptResources(synthesize({ ...COMPARED[name], ...more(name) }))]));
