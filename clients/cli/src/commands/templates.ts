import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { listTemplatesCommand } from '../templates/list.ts';

export function templatesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('templates')
    .description('list templates, and keep them in a folder under version control')
    .addCommand(listTemplatesCommand(cli));
}
