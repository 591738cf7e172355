import { CLOUD_LIMITS, CLOUD_PRICES } from '../contracts/cloud/cloud-prices.ts';
import type { CloudStep } from '../contracts/run/usage.ts';

/** What a step uses of each service; what is left out is nothing. */
export interface CloudUsage {
  /** vCPU and GiB of a container task, for so long. */
  readonly fargate?: { readonly vcpus: number; readonly gib: number; readonly seconds: number };
  readonly lambda?: { readonly calls: number; readonly gibSeconds: number };
  readonly transitions?: number;
  /** Express children, and the sum of the times that they take. */
  readonly express?: { readonly children: number; readonly seconds: number };
  readonly s3?: { readonly reads: number; readonly writes: number };
  /** Intermediates, kept for a month. */
  readonly storedBytes?: number;
  readonly keyRequests?: number;
  readonly logBytes?: number;
}

/** Dollars of a step for one service. */
export interface CostItem {
  readonly step: CloudStep;
  readonly service: string;
  readonly dollars: number;
}

/** The service by whose name storage is priced. */
export const STORAGE = 'S3 storage, a month';

const GIB = 1024 * 1024 * 1024;

/** What the usage of a step costs at list prices, by service; services that cost nothing are left out. */
export function priceUsage(step: CloudStep, usage: CloudUsage): CostItem[] {
  const { fargate, lambda, transitions = 0, express, s3, storedBytes = 0, keyRequests = 0 } = usage;
  const { logBytes = 0 } = usage;
  const fargateHours = fargate ? Math.max(CLOUD_LIMITS.fargateSeconds, fargate.seconds) / 3600 : 0;
  const expressGib = CLOUD_LIMITS.expressMiB / 1024;
  const dollars: Record<string, number> = {
    Fargate: fargateHours * ((fargate?.vcpus ?? 0) * CLOUD_PRICES.fargateVcpuHour + (fargate?.gib ?? 0) * CLOUD_PRICES.fargateGiBHour),
    Lambda: (lambda?.gibSeconds ?? 0) * CLOUD_PRICES.lambdaGiBSecond + ((lambda?.calls ?? 0) / 1e6) * CLOUD_PRICES.lambdaMillionRequests,
    'Step Functions':
      (transitions / 1e6) * CLOUD_PRICES.stepFunctionsMillionTransitions +
      ((express?.children ?? 0) / 1e6) * CLOUD_PRICES.expressMillionRequests +
      (express?.seconds ?? 0) * expressGib * CLOUD_PRICES.expressGiBSecond,
    'S3 requests': ((s3?.reads ?? 0) / 1000) * CLOUD_PRICES.s3ThousandReads + ((s3?.writes ?? 0) / 1000) * CLOUD_PRICES.s3ThousandWrites,
    [STORAGE]: (storedBytes / GIB) * CLOUD_PRICES.s3GiBMonth,
    KMS: (keyRequests / 10_000) * CLOUD_PRICES.kmsTenThousandRequests,
    'CloudWatch Logs': (logBytes / GIB) * CLOUD_PRICES.logsGiB,
  };
  return Object.entries(dollars)
    .filter(([, amount]) => amount > 0)
    .map(([service, amount]) => ({ step, service, dollars: amount }));
}
