/**
 * Text for a terminal. Numbers are formatted for pages: here their no-break spaces, minus signs and signs of multiplication
 * become those of the keyboard, which is what somebody searches for.
 */
export const inTerminal = (text: string): string => text.replaceAll('\u00a0', ' ').replaceAll('\u2212', '-').replaceAll('\u00d7', 'x');

/** Prints lines for a person on standard output. */
export function writeLines(lines: readonly string[]): void {
  process.stdout.write(`${inTerminal(lines.join('\n'))}\n`);
}
