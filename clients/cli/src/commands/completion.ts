import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Argument, Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { isShell, shells, writeCompletion } from '../completion.ts';

export function completionCommand(cli: Cli): CommandUnknownOpts {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  docmill completion bash > ~/.local/share/bash-completion/completions/docmill
  docmill completion zsh > "\${fpath[1]}/_docmill"
  docmill completion fish > ~/.config/fish/completions/docmill.fish`,
    )
    .action((shell, _options, command) => {
      let program: CommandUnknownOpts = command;
      while (program.parent !== null) program = program.parent;
      if (isShell(shell)) cli.stdout.write(writeCompletion(program, shell));
    });
}
