/**
 * What the name of a field alone says where its schema says nothing: that it is the error of another, or why that is null.
 *
 * @param siblings names of the fields beside it
 */
export function meaningByName(name: string, siblings: readonly string[]): string | null {
  const [, figure, kind] = /^(.+)(Se|Reason)$/.exec(name) ?? [];
  if (figure === undefined) return null;
  if (kind === 'Se') return `Standard error of \`${figure}\`.`;
  return `Why \`${siblings.includes(figure) ? figure : `${figure}...`}\` is null.`;
}
