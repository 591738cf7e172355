/** JSONata: minutes since the oldest of the listed executions began, 0 when there is none. */
export const OLDEST_RUN_MINUTES =
  '$count($states.result.Executions) = 0 ? 0 : ($millis() - $min($states.result.Executions.$toMillis(StartDate))) / 60000';
