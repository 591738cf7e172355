import { Tags } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { environmentNames, SHARE_FOR_INPUTS, sizeTags } from '../../shared/contracts/cloud/cloud-environment.ts';
import type { StepName } from '../../shared/contracts/run/usage.ts';
import { RunFunction, type RunFunctionEnvironment } from './run-function.ts';

/** The longest that Lambda lets a function run. */
const LONGEST_SECONDS = 900;

/** The functions of an environment, one a step; `fitModel` only where no container fits. */
export class RunFunctions extends Construct {
  readonly planRun: RunFunction;
  readonly checkBudget: RunFunction;
  readonly fitModel: RunFunction | null;
  readonly assessBatch: RunFunction;
  readonly aggregateRun: RunFunction;
  readonly reportRun: RunFunction;
  readonly recordFailure: RunFunction;
  readonly raiseFailure: RunFunction;

  constructor(scope: Construct, id: string, environment: RunFunctionEnvironment) {
    super(scope, id);
    const { settings } = environment;
    const { assessMemoryMiB, assessTimeoutSeconds, engine, stepMemoryMiB } = settings;
    const step = (
      name: string,
      folder: StepName | 'fit-model-lambda' | 'raise-failure',
      size: { memoryMiB: number; timeoutSeconds: number; name?: string; reserved?: number | undefined; variables?: Record<string, string> },
    ) => {
      const { variables = {}, ...limits } = size;
      return new RunFunction(this, name, {
        ...environment,
        ...limits,
        folder,
        step: folder === 'fit-model-lambda' ? 'fit-model' : folder === 'raise-failure' ? null : folder,
        environment: variables,
      });
    };
    const whole = { memoryMiB: stepMemoryMiB, timeoutSeconds: LONGEST_SECONDS };
    this.planRun = step('PlanRun', 'plan-run', whole);
    this.checkBudget = step('CheckBudget', 'check-budget', whole);
    this.fitModel = engine === 'lambda' ? step('FitModel', 'fit-model-lambda', whole) : null;
    this.assessBatch = step('AssessBatch', 'assess-batch', {
      name: environmentNames(settings.environment, settings.namePrefix).assessFunction,
      memoryMiB: assessMemoryMiB,
      timeoutSeconds: assessTimeoutSeconds,
      reserved: settings.reservedConcurrency,
      variables: { INPUTS_CACHE_MIB: String(Math.floor(assessMemoryMiB * SHARE_FOR_INPUTS)) },
    });
    // The command line finds the environment by this function.
    for (const [name, value] of Object.entries(sizeTags(settings))) {
      Tags.of(this.assessBatch.lambda).add(name, value);
    }
    this.aggregateRun = step('AggregateRun', 'aggregate-run', whole);
    const { signingKey } = environmentNames(settings.environment, settings.namePrefix);
    this.reportRun = step('ReportRun', 'report-run', { ...whole, variables: { SIGNING_KEY: signingKey } });
    const small = { memoryMiB: 512, timeoutSeconds: 60 };
    this.recordFailure = step('RecordFailure', 'record-failure', small);
    this.raiseFailure = step('RaiseFailure', 'raise-failure', small);
  }

  /** Every function there is. */
  get all(): RunFunction[] {
    const { aggregateRun, assessBatch, checkBudget, fitModel, planRun, recordFailure, reportRun } = this;
    const always = [planRun, checkBudget, assessBatch, aggregateRun, reportRun, recordFailure];
    always.push(this.raiseFailure);
    return fitModel === null ? always : [...always, fitModel];
  }
}
