import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { wholeNumber } from '../option-values.ts';
import { take } from '../take.ts';

export function listTemplatesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('list')
    .description('list the templates of the account, newest first')
    .option('--name <text>', 'only templates whose name contains this text')
    .option('--limit <number>', 'at most this many', wholeNumber(1, 1_000_000))
    .action(async ({ name, limit = Number.POSITIVE_INFINITY }, command) => {
      const { output, connect } = cli.start(command);
      const templates = await take(connect().docmill.templates.list({ name }, { signal: cli.signal }), limit);
      output.result(templates, () =>
        output.table(
          ['NAME', 'VERSION', 'SIZE', 'TAGS', 'CHANGED', 'ID'],
          templates.map(({ name, version, size, tags, updatedAt, id }) => [
            name,
            version,
            size,
            tags.length,
            updatedAt,
            id,
          ]),
        ),
      );
    });
}
