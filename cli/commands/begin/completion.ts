import { Argument, type Command } from 'commander';
import { completionScript, SHELLS } from '../../usage/completion-script.ts';

/** `completion SHELL`: a script by which a shell completes commands, flags and their choices. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script by which a shell completes commands, flags and their choices')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .option('--json', 'a failure as JSON; the script is text')
    .addHelpText(
      'after',
      `
Examples:
  source <(synthrisk completion bash)                                 in ~/.bashrc
  synthrisk completion zsh > _synthrisk                               for a folder of $fpath
  synthrisk completion fish > synthrisk.fish                          for ~/.config/fish/completions
  synthrisk completion powershell > synthrisk.ps1                      to be read in $PROFILE`,
    )
    .action((shell: (typeof SHELLS)[number]) => {
      process.stdout.write(completionScript(program, shell));
    });
}
