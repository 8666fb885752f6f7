import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { diffTemplatesCommand } from '../templates/diff.ts';
import { listTemplatesCommand } from '../templates/list.ts';
import { promoteTemplatesCommand } from '../templates/promote.ts';
import { pullTemplatesCommand } from '../templates/pull.ts';
import { pushTemplatesCommand } from '../templates/push.ts';
import { approveTemplateCommand, refuseTemplateCommand, submitTemplateCommand } from '../templates/review.ts';

export function templatesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('templates')
    .description('list templates, and keep them in a folder under version control')
    .addCommand(listTemplatesCommand(cli))
    .addCommand(pullTemplatesCommand(cli))
    .addCommand(pushTemplatesCommand(cli))
    .addCommand(diffTemplatesCommand(cli))
    .addCommand(promoteTemplatesCommand(cli))
    .addCommand(submitTemplateCommand(cli))
    .addCommand(approveTemplateCommand(cli))
    .addCommand(refuseTemplateCommand(cli));
}
