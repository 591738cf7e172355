import { redefine, setVariables } from './published-function.ts';

/** Lets runs that begin from now on have batches of this size. */
const setBatchSize = (batchSize: number | undefined) =>
  setVariables('PlanRun', (variables) => ({
    ...variables,
    ENVIRONMENT_SIZE: JSON.stringify({ ...JSON.parse(variables.ENVIRONMENT_SIZE!), batchSize }),
  }));

/** Lets executions that begin from now on map over so many batches at once. */
async function setConcurrency(concurrency: number): Promise<number> {
  let before = 0;
  await redefine((definition) => {
    const workflow = JSON.parse(definition);
    before = workflow.States.Assess.MaxConcurrency;
    workflow.States.Assess.MaxConcurrency = concurrency;
    return JSON.stringify(workflow);
  });
  return before;
}

/** Deploys the environment with another size of batches and another number of them at once while some work is done. */
export async function withSize<T>(
  { batchSize, concurrency }: { readonly batchSize: number; readonly concurrency: number },
  work: () => Promise<T>,
): Promise<T> {
  await setBatchSize(batchSize);
  const before = await setConcurrency(concurrency);
  try {
    return await work();
  } finally {
    await setConcurrency(before);
    await setBatchSize(undefined);
  }
}
