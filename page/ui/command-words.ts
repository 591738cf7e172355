/** An argument as shells take it. */
const quoted = (argument: string) => (/^[\w./=:,@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`);

/** A command of the program with its arguments, as a person can paste it. */
export const commandLine = (...words: readonly string[]): string => ['synthrisk', ...words].map(quoted).join(' ');
