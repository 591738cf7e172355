import type { Command, Option } from 'commander';
import { commandsBelow } from './complete-commands.ts';

/** Shells for which there is a script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** What may follow a command: `''` for the program, `dp table` for a command of a group. */
interface Completed {
  readonly path: string;
  readonly commands: readonly Named[];
  readonly flags: readonly Flag[];
}

interface Named {
  readonly name: string;
  readonly meaning: string;
}

interface Flag extends Named {
  readonly choices: readonly string[];
  /** Whether a value follows, which is a file unless there are choices. */
  readonly takesValue: boolean;
}

const HELP: Flag = { name: '--help', meaning: 'show help', choices: [], takesValue: false };

/** The first line of a description, of letters that mean nothing in any of the shells. */
const plain = (text: string) => text.split('\n')[0]!.replaceAll(/['"`$\\[\]:;!]/g, '');

/** Choices that mean themselves in every shell; spaces and quotes are typed by hand. */
const wordsOf = (choices: readonly string[]) => choices.filter((choice) => /^[\w.,-]+$/.test(choice));

const flagOf = ({ argChoices, description, long, optional, required }: Option): Flag => ({
  name: long!,
  meaning: plain(description),
  choices: wordsOf(argChoices ?? []),
  takesValue: required || optional,
});

/** What may come next but flags: the commands of a group, after `help` those of its own, or the choices of an argument. */
function nextWords(command: Command): Named[] {
  const { commands } = command.name() === 'help' ? command.parent! : command;
  const [first] = command.registeredArguments;
  const choices = (first?.argChoices ?? []).map((name) => ({ name, meaning: plain(first!.description) }));
  return [...commands.map((one) => ({ name: one.name(), meaning: plain(one.description()) })), ...choices];
}

/** Every command with what may follow it, from commander's own definition. */
function completions(program: Command): Completed[] {
  const pathOf = (command: Command): string => (command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim());
  return commandsBelow(program).map((command) => ({
    path: pathOf(command),
    commands: nextWords(command),
    flags: [...command.options.filter(({ long }) => long).map(flagOf), HELP],
  }));
}

const namesOf = (named: readonly Named[]) => named.map(({ name }) => name).join(' ');

/** Cases of `<path> <flag>`: the choices of a flag, and the flags that are followed by a file. */
function valueCases(all: readonly Completed[], ofChoices: (words: string) => string, ofFile: string): string[] {
  return all.flatMap(({ flags, path }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ choices, name }) => `    '${path} ${name}') ${choices.length > 0 ? ofChoices(choices.join(' ')) : ofFile} ;;`),
  );
}

/** The part that bash and zsh share: the command that the words so far name. */
const PATH = (all: readonly Completed[], from: number) => `  local path='' word
  for word in "\${words[@]:${from}:cword-${from}}"; do
    case "\${path:+$path }$word" in
      ${all
        .filter(({ path }) => path !== '')
        .map(({ path }) => `'${path}'`)
        .join('|')}) path="\${path:+$path }$word" ;;
      *) break ;;
    esac
  done`;

const bash = (all: readonly Completed[]) => `# bash completion for synthrisk: source <(synthrisk completion bash)
_synthrisk_files() {
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$1")
}
_synthrisk() {
  local words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  local current="\${words[cword]}" before="\${words[cword-1]}"
${PATH(all, 1)}
  case "$path $before" in
${valueCases(all, (words) => `COMPREPLY=($(compgen -W '${words}' -- "$current")); return`, '_synthrisk_files "$current"; return').join('\n')}
  esac
  local commands='' flags=''
  case "$path" in
${all.map(({ commands, flags, path }) => `    '${path}') commands='${namesOf(commands)}' flags='${namesOf(flags)}' ;;`).join('\n')}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -n $commands ]]; then COMPREPLY=($(compgen -W "$commands" -- "$current"))
  else _synthrisk_files "$current"; fi
}
complete -o filenames -o bashdefault -F _synthrisk synthrisk
`;

const described = (named: readonly Named[]) => named.map(({ meaning, name }) => `'${name}:${meaning}'`).join(' ');

const zsh = (all: readonly Completed[]) => `#compdef synthrisk
# zsh completion for synthrisk: synthrisk completion zsh > _synthrisk, in a folder of $fpath
_synthrisk() {
  local current="\${words[CURRENT]}" before="\${words[CURRENT-1]}" path_='' word
  local -a commands flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${path_:+$path_ }$word" in
      ${all
        .filter(({ path }) => path !== '')
        .map(({ path }) => `'${path}'`)
        .join('|')}) path_="\${path_:+$path_ }$word" ;;
      *) break ;;
    esac
  done
  case "$path_ $before" in
${valueCases(all, (words) => `compadd -- ${words}; return`, '_files; return').join('\n')}
  esac
  case "$path_" in
${all.map(({ commands, flags, path }) => `    '${path}') commands=(${described(commands)}) flags=(${described(flags)}) ;;`).join('\n')}
  esac
  if [[ $current == -* ]]; then _describe -o option flags
  elif (( $#commands )); then _describe command commands
  else _files; fi
}
if [ "$funcstack[1]" = _synthrisk ]; then _synthrisk "$@"; else compdef _synthrisk synthrisk; fi
`;

/** A condition of fish: that the words so far name this command and no further one. */
const fishLine = (path: string, rest: string) => `complete -c synthrisk -n "__synthrisk_at '${path}'" ${rest}`;

const fish = (
  all: readonly Completed[],
) => `# fish completion for synthrisk: synthrisk completion fish > ~/.config/fish/completions/synthrisk.fish
function __synthrisk_at
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$path $word")
    contains -- $next ${all
      .filter(({ path }) => path !== '')
      .map(({ path }) => `'${path}'`)
      .join(' ')}; or break
    set path $next
  end
  test "$path" = "$argv[1]"
end
${all
  .flatMap(({ commands, flags, path }) => [
    ...commands.map(({ meaning, name }) => fishLine(path, `-f -a ${name} -d '${meaning}'`)),
    ...flags.map(({ choices, meaning, name, takesValue }) =>
      fishLine(
        path,
        `-l ${name.slice(2)}${choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : ''} -d '${meaning}'`,
      ),
    ),
  ])
  .join('\n')}
`;

const list = (names: readonly string[]) => `@(${names.map((name) => `'${name}'`).join(', ')})`;

const powershell = (
  all: readonly Completed[],
) => `# PowerShell completion for synthrisk: synthrisk completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName synthrisk -ScriptBlock {
  param($current, $ast, $position)
  $follows = @{
${all.map(({ commands, flags, path }) => `    '${path}' = @{ commands = ${list(commands.map(({ name }) => name))}; flags = ${list(flags.map(({ name }) => name))} }`).join('\n')}
  }
  $choices = @{
${all.flatMap(({ flags, path }) => flags.filter(({ choices }) => choices.length > 0).map(({ choices, name }) => `    '${path} ${name}' = ${list(choices)}`)).join('\n')}
  }
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $path = ''
  foreach ($word in $words) {
    $next = "$path $word".Trim()
    if ($follows.ContainsKey($next)) { $path = $next } else { break }
  }
  $before = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $found = if ($choices.ContainsKey("$path $before")) { $choices["$path $before"] }
    elseif ($current -like '-*') { $follows[$path].flags }
    else { $follows[$path].commands }
  $found | Where-Object { $_ -like "$current*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;

/** A script by which a shell completes commands, flags, the choices of a flag, and files. */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  return { bash, zsh, fish, powershell }[shell](completions(program));
}
