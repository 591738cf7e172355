import {
  Choice,
  Condition,
  DefinitionBody,
  JsonPath,
  LogLevel,
  Pass,
  StateMachine,
  Succeed,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { environmentNames } from '../../shared/contracts/cloud/cloud-environment.ts';
import { acknowledge } from '../access/acknowledge.ts';
import { encryptedLogGroup } from '../constructs/encrypted-log-group.ts';
import { assessMap } from './assess-map.ts';
import { FailurePath, publishOutcome } from './failure-path.ts';
import { closeStep, fitStep, sharedFitStep } from './fit-step.ts';
import { functionStep } from './function-step.ts';
import type { EvaluationWorkflowProps } from './workflow-props.ts';
import { workflowRole } from './workflow-role.ts';

/** A run of a day that waits all the time stays below the 25,000 events of an execution's history. */
const LEFT_OVER_PAUSE_SECONDS = 60;

/** Which round, as the functions between planning and the report receive it. */
const ROUND = { runId: JsonPath.stringAt('$.runId'), round: JsonPath.numberAt('$.round') };

/**
 * The workflow: plan, fit in one task or shared out, a map over the batches, aggregate in a function or for large runs in a task, as many
 * rounds as the run's reproducibility asks for, then the report; before the chains and before the batches of each, whether the budget
 * suffices. States hold references alone. Every failure is recorded before the execution ends; what is stored stays, and a redrive, or a
 * new execution with `{runId, resume: true}`, goes on from there.
 */
export class EvaluationWorkflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: EvaluationWorkflowProps) {
    super(scope, id);
    const { keys, settings } = props;
    const logGroup = encryptedLogGroup(this, 'Log', {
      key: keys.operations,
      settings,
      // Under this prefix the policy that lets Step Functions write does not grow with every log group.
      name: `/aws/vendedlogs/states/${Stack.of(this).stackName}`,
    });
    const { attachTo, role } = workflowRole(this, props);
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineName: environmentNames(settings.environment, settings.namePrefix).workflow,
      comment: 'Disclosure risk of one uploaded table',
      definitionBody: DefinitionBody.fromChainable(this.#definition(props)),
      role,
      timeout: Duration.hours(settings.runTimeoutHours),
      logs: { destination: logGroup, level: LogLevel.ERROR, includeExecutionData: false },
    });
    attachTo(this.stateMachine);
    acknowledge(this.stateMachine, {
      'AwsSolutions-SF1':
        'Errors are logged, without data. Every step of every batch as well would cost more than the batches; the history of an execution has them.',
      'AwsSolutions-SF2': 'The history of an execution and the metrics of the functions say where time goes.',
    });
  }

  #definition(props: EvaluationWorkflowProps) {
    const { bucket, engine, functions, network, settings, topic } = props;
    const failure = new FailurePath(this, { functions, topic });

    const plan = functionStep(this, 'Plan', {
      fn: functions.planRun,
      payload: TaskInput.fromObject({ execution: JsonPath.stringAt('$$.Execution.Id'), input: JsonPath.objectAt('$') }),
    });
    failure.catchErrorsOf(plan, { before: 'run' });

    const checkBudget = (id: string, before: 'chains' | 'batches') => {
      const step = functionStep(this, id, {
        fn: functions.checkBudget,
        payload: TaskInput.fromObject({ ...ROUND, before, execution: JsonPath.stringAt('$$.Execution.Id') }),
        resultPath: '$.checked',
      });
      failure.catchErrorsOf(step);
      return step;
    };
    const checkChains = checkBudget('CheckBudgetForChains', 'chains');
    const checkBatches = checkBudget('CheckBudgetForBatches', 'batches');

    const chains = { engine, network, settings };
    const fit = fitStep(this, 'Fit', chains);
    const fitChains = sharedFitStep(this, 'FitChains', '$.checked.fit.chains', chains);
    const fitPairs = sharedFitStep(this, 'FitPairs', '$.checked.fit.pairs', chains);
    for (const { tasks } of [fit, fitChains, fitPairs]) {
      for (const task of tasks) failure.catchErrorsOf(task);
    }

    const assess = assessMap(this, 'Assess', { assessBatch: functions.assessBatch, bucket, settings });
    failure.catchErrorsOf(assess);

    const aggregateStep = (id: string, payload: object) => {
      const step = functionStep(this, id, {
        fn: functions.aggregateRun,
        payload: TaskInput.fromObject({ ...ROUND, ...payload }),
        resultPath: '$.aggregate',
      });
      failure.catchErrorsOf(step);
      return step;
    };
    const aggregate = aggregateStep('Aggregate', {});

    const nextRound = new Pass(this, 'NextRound', {
      parameters: {
        runId: JsonPath.stringAt('$.runId'),
        round: JsonPath.numberAt('$.aggregate.round'),
        manifest: JsonPath.objectAt('$.aggregate.manifest'),
      },
    });

    const report = functionStep(this, 'Report', {
      fn: functions.reportRun,
      payload: TaskInput.fromObject({ runId: JsonPath.stringAt('$.runId') }),
      resultPath: JsonPath.DISCARD,
    });
    failure.catchErrorsOf(report);

    const notify = publishOutcome(this, 'NotifyFinished', { topic, outcome: 'finished', runId: JsonPath.stringAt('$.runId') });
    // The results are whole: the record says finished, and only the execution failed.
    failure.catchErrorsOf(notify);

    // Time for whoever has the functions now to give some of them back.
    const waitForFunctions = new Wait(this, 'WaitForFunctions', { time: WaitTime.duration(Duration.seconds(LEFT_OVER_PAUSE_SECONDS)) });
    const afterAggregate = new Choice(this, 'IsReproducible')
      .when(Condition.stringEquals('$.aggregate.outcome', 'left-over'), waitForFunctions.next(assess))
      .when(Condition.stringEquals('$.aggregate.outcome', 'next-round'), nextRound.next(checkChains))
      .otherwise(report.next(notify).next(new Succeed(this, 'Finished')));
    const close = closeStep(this, 'Close', chains);
    if (close !== null) {
      failure.catchErrorsOf(close);
      afterAggregate.when(Condition.stringEquals('$.aggregate.outcome', 'close-in-task'), close);
      close.next(aggregateStep('Closed', { closed: true })).next(afterAggregate);
    }
    const nothingToDo = new Succeed(this, 'NothingToDo', { comment: 'The run is under way in another execution, or has finished' });
    // Trees have no batches, and a run that goes on may have all of its parts.
    const hasBatches = new Choice(this, 'HasBatches')
      .when(Condition.numberGreaterThan('$.checked.tasks', 0), assess.next(aggregate))
      .otherwise(aggregate);
    for (const task of [...fit.tasks, ...fitPairs.tasks]) task.next(checkBatches);
    for (const task of fitChains.tasks) task.next(fitPairs.start);
    const isFitShared = new Choice(this, 'IsFitShared')
      .when(Condition.numberGreaterThan('$.checked.fit.tasks', 1), fitChains.start)
      .otherwise(fit.start);
    checkChains.next(isFitShared);
    checkBatches.next(hasBatches);
    aggregate.next(afterAggregate);
    const isPlanned = new Choice(this, 'IsPlanned')
      .when(Condition.stringEquals('$.outcome', 'planned'), checkChains)
      .otherwise(nothingToDo);
    failure.resume.next(isPlanned);
    return plan.next(isPlanned);
  }
}
