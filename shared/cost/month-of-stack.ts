import { CLOUD_PRICES } from '../contracts/cloud/cloud-prices.ts';

/** What a deployed environment has that costs money whether or not a run is under way. */
const STACK = {
  /** Registry (two) and logs, for the container task; KMS, for signatures. */
  interfaceEndpoints: 4,
  availabilityZones: 2,
  /** Of the data, of what surrounds a run, and for signatures. Two of these a run cost $0.00003, which is left out. */
  keys: 3,
  dashboards: 1,
  /** Metrics behind the alarms: those over a formula have several, that on cost has eight. */
  alarmMetrics: 14,
} as const;

const HOURS_PER_MONTH = 730;

/** Dollars a month of a deployed environment without a run, by service. */
export function monthOfStack(): { readonly service: string; readonly dollars: number }[] {
  const endpoints = STACK.interfaceEndpoints * STACK.availabilityZones * HOURS_PER_MONTH;
  return [
    { service: 'VPC endpoints', dollars: endpoints * CLOUD_PRICES.interfaceEndpointHour },
    { service: 'KMS keys', dollars: STACK.keys * CLOUD_PRICES.kmsKeyMonth },
    {
      service: 'CloudWatch dashboard and alarms',
      dollars: STACK.dashboards * CLOUD_PRICES.dashboardMonth + STACK.alarmMetrics * CLOUD_PRICES.alarmMonth,
    },
  ];
}
