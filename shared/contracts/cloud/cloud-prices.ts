/** The day of the prices and limits of this file. Every figure is as AWS publishes it for {@link PRICES_REGION}. */
export const PRICES_DATE = '2026-11-21';

/** The region of the prices. Others differ by a tenth or so, GovCloud by a quarter. */
export const PRICES_REGION = 'us-east-1';

/**
 * List prices of AWS in dollars, of the first tier, on arm64, without free tiers and discounts. The comments name the
 * page that sets each price; what is marked so was not found again on a page when this file was written.
 */
export const CLOUD_PRICES = {
  // aws.amazon.com/lambda/pricing: Arm; duration counts the memory that is configured, and the INIT phase as well.
  lambdaGiBSecond: 0.0000133334,
  lambdaMillionRequests: 0.2,
  // aws.amazon.com/fargate/pricing: Linux on Arm, by the second, a minute at least.
  fargateVcpuHour: 0.03238,
  fargateGiBHour: 0.00356,
  // aws.amazon.com/step-functions/pricing: state transitions of Standard workflows; requests and memory of Express
  // ones, in pieces of 64 MB.
  stepFunctionsMillionTransitions: 25,
  expressMillionRequests: 1,
  expressGiBSecond: 0.00001667,
  // aws.amazon.com/s3/pricing: S3 Standard. The two prices of requests: not found again.
  s3GiBMonth: 0.023,
  s3ThousandWrites: 0.005,
  s3ThousandReads: 0.0004,
  // aws.amazon.com/kms/pricing: symmetric keys.
  kmsKeyMonth: 1,
  kmsTenThousandRequests: 0.03,
  // aws.amazon.com/privatelink/pricing: an interface endpoint in one availability zone. A gateway endpoint is free.
  interfaceEndpointHour: 0.01,
  // aws.amazon.com/cloudwatch/pricing: logs that are taken in; a dashboard; a metric behind an alarm (not found again).
  logsGiB: 0.5,
  dashboardMonth: 3,
  alarmMonth: 0.1,
} as const;

/**
 * Limits and rates of AWS, as an account has them before it asks for more. The comments name the guide that sets
 * each; events of S3 through EventBridge and the few messages of SNS cost less than anything here can show.
 */
export const CLOUD_LIMITS = {
  // Lambda developer guide, quotas and scaling behavior: environments at once in an account, and how fast those of
  // one function grow (at most 1,000 at once, 1,000 more every 10 s, refilled continuously).
  lambdaConcurrency: 1000,
  lambdaEnvironmentsAtOnce: 1000,
  lambdaEnvironmentsPerSecond: 100,
  lambdaSeconds: 900,
  /** Memory that brings one vCPU. */
  lambdaVcpuMiB: 1769,
  // Step Functions developer guide, quotas and Distributed Map: how fast a map starts children, how many at once, and
  // the pieces of memory by which Express ones are billed.
  expressChildrenPerSecond: 1000,
  standardChildrenPerSecond: 100,
  mapChildren: 10_000,
  expressMiB: 64,
  // S3 user guide, performance: reads of one prefix, until S3 has split it, which takes half an hour or more.
  s3ReadsPerSecond: 5500,
  // Fargate quotas: vCPU of an account. A task of one vCPU has 2 GiB at least.
  fargateVcpus: 6,
  fargateGiBPerVcpu: 2,
  fargateSeconds: 60,
} as const;
