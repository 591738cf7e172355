/** Whether a cell's text stands for a missing value: empty, or `NA` as R writes it. Spaces alone do not. */
export function isMissingText(text: string): boolean {
  return text === '' || text === 'NA';
}
