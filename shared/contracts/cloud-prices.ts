/**
 * List prices of AWS in dollars, us-east-1, on arm64, without free tiers and discounts, as of {@link PRICES_DATE}.
 * Other regions differ by a tenth or so, GovCloud by a quarter.
 */
export const CLOUD_PRICES = {
  lambdaGiBSecond: 0.0000133334,
  lambdaMillionRequests: 0.2,
  fargateVcpuHour: 0.03238,
  fargateGiBHour: 0.00356,
} as const;

/** The day on which the prices were looked up. */
export const PRICES_DATE = '2026-11-21';
