import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, CommanderError } from 'commander';
import { synthriskProgram } from '../../cli/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Commands of npm itself that pages use. */
const OF_NPM = new Set(['ci', 'install', 'link', 'pack', 'publish']);

/** Makes a command and those below it throw instead of ending the process, print nothing, and do nothing. */
function disarm(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  if (command.commands.length === 0) command.action(() => undefined);
  for (const below of command.commands) disarm(below);
}

/**
 * Holds arguments of synthrisk to its command line: that there is the command and each flag, that values are such as the
 * flag takes, and that no argument is missing.
 *
 * @returns what is wrong, or undefined
 */
export async function checkArguments(args: readonly string[]): Promise<string | undefined> {
  const program = synthriskProgram(() => undefined);
  disarm(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    // To have shown the help or the version is what was asked for.
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    return (error as Error).message;
  }
}

/**
 * Holds a command of a page to what there is: the command line of synthrisk, the scripts of package.json, the programs of
 * the packages. Of other programs nothing is known.
 *
 * @param call the program and its arguments
 * @returns what is wrong, or undefined
 */
export async function checkCommand(call: readonly string[]): Promise<string | undefined> {
  const [program, ...args] = call;
  if (program === 'nice') return checkCommand(args);
  if (program === 'synthrisk') return checkArguments(args);
  if (program === 'npm') {
    const [verb, name] = args;
    if (OF_NPM.has(verb!)) return undefined;
    const script = verb === 'run' ? name! : verb!;
    return script in scripts ? undefined : `package.json has no script ${script}`;
  }
  if (program !== 'npx') return undefined;
  const command = args.findIndex((arg) => !arg.startsWith('-'));
  const [name, ...rest] = args.slice(command);
  if (name === 'synthrisk') return checkArguments(rest);
  if (name!.startsWith('./')) return checkArguments(rest);
  return existsSync(join(root, 'node_modules', '.bin', name!)) ? undefined : `no package has the program ${name}`;
}
