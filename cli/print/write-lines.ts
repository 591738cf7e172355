/**
 * Text for a terminal. Numbers are formatted for pages: here their no-break spaces, minus signs and signs of multiplication
 * become those of the keyboard, which is what somebody searches for. Characters that command a terminal, as names in files of
 * others may have, become question marks.
 */
export const inTerminal = (text: string): string =>
  text
    .replaceAll('\u00a0', ' ')
    .replaceAll('\u2212', '-')
    .replaceAll('\u00d7', 'x')
    .replace(/[^\P{Cc}\t\n]/gu, '?');

/** How findings are printed: as JSON, as a few lines for a person, or with `details` as all of them. */
export interface Printing {
  readonly json?: boolean;
  readonly details?: boolean;
}

/** Lines at most that a command ends with, unless all are asked for. */
export const MOST_LINES = 25;

/**
 * Prints what a command found, from the answer: the first lines, then warnings, rules and where the files are, 25 lines in all
 * unless details are asked for.
 */
export function writeFindings(lines: readonly string[], { details = false }: Printing): void {
  if (details || lines.length <= MOST_LINES) {
    writeLines(lines);
    return;
  }
  const isKept = (line: string) => /^(?:Warning \(|Acceptance: |Confidential |Masked file: )/.test(line);
  const end = lines.filter(isKept).slice(0, MOST_LINES / 2);
  const first = lines.filter((line) => !isKept(line)).slice(0, MOST_LINES - end.length - 2);
  while (first.at(-1) === '') first.pop();
  const left = lines.filter((line) => line !== '').length - first.filter((line) => line !== '').length - end.length;
  writeLines([...first, `... ${left} more lines with --details`, ...(end.length === 0 ? [] : ['', ...end])]);
}

/** Prints lines for a person on standard output. */
export function writeLines(lines: readonly string[]): void {
  process.stdout.write(`${inTerminal(lines.join('\n'))}\n`);
}
