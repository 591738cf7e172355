/**
 * Prints lines for a person on standard output. Numbers are formatted for pages: here their no-break spaces and minus
 * signs become those of the keyboard, which is what somebody searches for.
 */
export function writeLines(lines: readonly string[]): void {
  const text = lines.join('\n').replaceAll('\u00a0', ' ').replaceAll('\u2212', '-');
  process.stdout.write(`${text}\n`);
}
