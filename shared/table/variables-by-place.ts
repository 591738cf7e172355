/**
 * Variables of a table in words, for messages, which do not repeat its header: `variable 3 (in the order of the
 * columns)`. Places count from 1; a column of row names is none of them.
 */
export function variablesByPlace(indices: readonly number[]): string {
  const places = indices.map((index) => index + 1).join(', ');
  return `${indices.length === 1 ? 'variable' : 'variables'} ${places} (in the order of the columns)`;
}
