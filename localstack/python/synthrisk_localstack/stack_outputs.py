"""A stack that is said to be complete has its outputs: LocalStack sets them a moment later, and who asks meanwhile finds none."""

from localstack.runtime import hooks
from localstack.services.cloudformation.engine.v2.change_set_model_executor import ChangeSetModelExecutor


@hooks.on_infra_start()
def set_outputs_first() -> None:
    """Gives a stack its outputs before the change that made them is said to have ended."""
    execute = ChangeSetModelExecutor.execute

    def execute_with_outputs(executor: ChangeSetModelExecutor):
        result = execute(executor)
        executor._change_set.stack.resolved_outputs = result.outputs
        return result

    ChangeSetModelExecutor.execute = execute_with_outputs
