import type { EventEmitter } from 'node:events';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../../shared/contracts/settings/nearest-name.ts';

/** Every command below one, itself first. */
export const commandsBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsBelow)];

/** The command that arguments call, as far as they name one: `synthrisk dp table`. */
export function calledCommand(program: Command, args: readonly string[]): string {
  let [command, name] = [program, program.name()];
  for (const arg of args) {
    const below = command.commands.find((one) => one.name() === arg);
    if (below === undefined || arg === 'help') return name;
    [command, name] = [below, `${name} ${arg}`];
  }
  return name;
}

/** Refuses a name that is no command of a group, with that which may be meant. */
function refuseCommand(group: Command, name: string): never {
  const names = group.commands.map((one) => one.name());
  return group.error(`unknown command '${name}'${didYouMean(name, names)}`, { code: 'commander.unknownCommand' });
}

/** `help`, which shows that of the command named after it and refuses what is none. */
function addHelp(group: Command): void {
  group.helpCommand(false);
  group
    .command('help')
    .description('show the help of a command')
    .argument('[command...]', 'its name')
    .addOption(new Option('--json').hideHelp())
    .action((names: readonly string[]) => {
      let asked = group;
      for (const name of names) {
        asked = asked.commands.find((one) => one.name() === name) ?? refuseCommand(asked, name);
      }
      asked.outputHelp();
    });
}

/** Refuses a flag of one value that is there twice. A parser of two parameters takes what came before, and decides itself. */
function refuseTwice(command: Command): void {
  // Commander's types leave it out; its own listener, which stores the value, comes after.
  const { prependListener } = command as Command & Pick<EventEmitter, 'prependListener'>;
  for (const option of command.options) {
    const { flags, required, optional, variadic, parseArg, argChoices } = option;
    const takesMore = variadic || (parseArg?.length === 2 && argChoices === undefined);
    if (takesMore || !(required || optional)) continue;
    prependListener.call(command, `option:${option.name()}`, () => {
      if (command.getOptionValueSource(option.attributeName()) !== 'cli') return;
      command.error(`${flags} is there twice: expected once`, { code: 'commander.repeatedOption' });
    });
  }
}

/** Refuses a folder, file or argument without a name, as of a variable that a script has not set: it would be taken for the current folder. */
function refuseUnnamed(command: Command): void {
  const { prependListener } = command as Command & Pick<EventEmitter, 'prependListener'>;
  for (const option of command.options) {
    if (!/<(?:dir|file)\b/.test(option.flags)) continue;
    prependListener.call(command, `option:${option.name()}`, (path: string) => {
      if (path.trim() !== '') return;
      command.error(`${option.flags} is empty: name a ${option.flags.includes('<dir') ? 'folder' : 'file'}`, {
        code: 'commander.invalidArgument',
      });
    });
  }
  for (const argument of command.registeredArguments) {
    if (argument.parseArg !== undefined) continue;
    argument.argParser((text: string, before: unknown) => {
      if (text.trim() === '') throw new InvalidArgumentError('expected a name');
      return argument.variadic ? [...((before as string[] | undefined) ?? []), text] : text;
    });
  }
}

/** Says of a wrong choice which one may be meant; what is refused stays the same. */
function suggestChoices(command: Command): void {
  for (const one of [...command.options, ...command.registeredArguments]) {
    const { argChoices, parseArg } = one;
    if (argChoices === undefined || parseArg === undefined) continue;
    one.argParser((text: string, before: unknown) => {
      if (argChoices.includes(text)) return parseArg(text, before as never);
      throw new InvalidArgumentError(`Allowed choices are ${argChoices.join(', ')}${didYouMean(text, argChoices)}.`);
    });
  }
}

/** All flags that a command does not know, each with that which may be meant: commander tells of the first alone. */
function refuseUnknownOptions(command: Command): void {
  const known = command.options.flatMap(({ long }) => long ?? []);
  const refuse = () => {
    const wrong = command.args.filter((arg, index, all) => /^-./.test(arg) && all.indexOf(arg) === index);
    const valued = wrong.find((arg) => known.includes(arg.split('=')[0]!));
    if (valued !== undefined) command.error(`${valued.split('=')[0]} takes no value`, { code: 'commander.invalidArgument' });
    const named = wrong.map((arg) => {
      const [flag] = arg.split('=') as [string];
      return `${flag}${didYouMean(flag, [...known, '--help'])}`;
    });
    command.error(`there ${named.length === 1 ? 'is no option' : 'are no options'} ${named.join(' and ')}`, {
      code: 'commander.unknownOption',
    });
  };
  // Not in the types of commander, and called for every flag that is unknown.
  Object.assign(command, { unknownOption: refuse });
}

/** Completes all commands, once they are there: their help, and what they say of wrong names and choices. */
export function completeCommands(program: Command): void {
  for (const command of commandsBelow(program)) {
    if (command.commands.length > 0) addHelp(command);
    refuseTwice(command);
    refuseUnnamed(command);
    suggestChoices(command);
    refuseUnknownOptions(command);
  }
}
