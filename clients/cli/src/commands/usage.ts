import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import { type components, type Docmill, PermissionError } from '@docmill/client';
import type { Cli } from '../cli.ts';

type Amounts = components['schemas']['UsageAmounts'];

export function usageCommand(cli: Cli): CommandUnknownOpts {
  return new Command('usage')
    .description('print the documents, pages and bytes of a period')
    .option('--from <day>', 'first day (UTC), such as 2026-11-01 (default: 30 days up to the last day)')
    .option('--to <day>', 'last day (UTC), inclusive (default: today)')
    .addOption(
      new Option('--by <group>', 'what each line stands for')
        .choices(['day', 'template', 'key'] as const)
        .default('day' as const),
    )
    .action(async ({ from, to, by }, command) => {
      const { output, connect } = cli.start(command);
      const { docmill } = connect();
      const usage = await docmill.account.usage({ from, to, groupBy: by }, { signal: cli.signal });
      const names = output.isJson ? new Map<string, string>() : await readNames(docmill, by, cli.signal);
      const named = (id: string): string => names.get(id) ?? id;
      output.result(usage, () => {
        const cells = ({ documents, pages, bytes, failures, cancelled }: Amounts) => [
          documents,
          pages,
          bytes,
          failures,
          cancelled,
        ];
        output.table(
          [by.toUpperCase(), 'DOCUMENTS', 'PAGES', 'BYTES', 'FAILED', 'CANCELLED'],
          [
            ...usage.groups.map((group) => [
              group.day ?? named(group.templateId ?? group.keyId ?? ''),
              ...cells(group),
            ]),
            ['total', ...cells(usage.totals)],
          ],
        );
        if (usage.hasMore) output.warn('There are more groups than one answer holds. Choose a shorter period.');
      });
    });
}

/** The names of templates or keys by their ids. Deleted ones have none, nor has anything that the key may not list. */
async function readNames(
  { templates, account }: Docmill,
  by: 'day' | 'template' | 'key',
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (by === 'day') return new Map();
  try {
    const listed: AsyncIterable<{ readonly id: string; readonly name?: string }> =
      by === 'template' ? templates.list({}, { signal }) : account.keys({}, { signal });
    const names = new Map<string, string>();
    for await (const { id, name } of listed) if (name !== undefined) names.set(id, name);
    return names;
  } catch (error) {
    if (error instanceof PermissionError) return new Map();
    throw error;
  }
}
