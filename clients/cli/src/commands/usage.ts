import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';

interface Amounts {
  readonly documents: number;
  readonly pages: number;
  readonly bytes: number;
  readonly failures: number;
  readonly cancelled: number;
}

interface Usage {
  readonly totals: Amounts;
  readonly groups: readonly (Amounts & {
    readonly day?: string;
    readonly templateId?: string;
    readonly keyId?: string | null;
  })[];
  readonly hasMore: boolean;
}

export function usageCommand(cli: Cli): CommandUnknownOpts {
  return new Command('usage')
    .description('print the documents, pages and bytes of a period')
    .option('--from <day>', 'first day (UTC), such as 2026-11-01 (default: 30 days up to the last day)')
    .option('--to <day>', 'last day (UTC), inclusive (default: today)')
    .addOption(
      new Option('--by <group>', 'what each line stands for').choices(['day', 'template', 'key']).default('day'),
    )
    .action(async ({ from, to, by }, command) => {
      const { output, connect } = cli.start(command);
      const query = { from, to, groupBy: by };
      const usage = (await connect().docmill.request('GET', '/v1/account/usage', {
        query,
        signal: cli.signal,
      })) as Usage;
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
            ...usage.groups.map((group) => [group.day ?? group.templateId ?? group.keyId, ...cells(group)]),
            ['total', ...cells(usage.totals)],
          ],
        );
        if (usage.hasMore) output.warn('There are more groups than one answer holds. Choose a shorter period.');
      });
    });
}
