import { EcsRunTask } from 'aws-cdk-lib/aws-stepfunctions-tasks';

/**
 * The state that runs a container task, by the revision of its task definition: CDK names the family alone, of which
 * a run that is under way would get whatever revision was registered last.
 */
export class PinnedRunTask extends EcsRunTask {
  readonly #revisionArn: string;

  constructor(...[scope, id, props]: ConstructorParameters<typeof EcsRunTask>) {
    super(scope, id, props);
    this.#revisionArn = props.taskDefinition.taskDefinitionArn;
  }

  override toStateJson(...language: Parameters<EcsRunTask['toStateJson']>): object {
    const state = super.toStateJson(...language) as { readonly Parameters: object };
    return { ...state, Parameters: { ...state.Parameters, TaskDefinition: this.#revisionArn } };
  }
}
