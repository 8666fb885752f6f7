import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { ApiError } from '@docmill/client';
import type { Cli } from '../cli.ts';

export function whoamiCommand(cli: Cli): CommandUnknownOpts {
  return new Command('whoami')
    .description('print the service, the key and what is left of the quota')
    .action(async (_options, command) => {
      const { output, connect } = cli.start(command);
      const { profile, docmill } = connect();
      const remaining = await docmill.account.quotas({ signal: cli.signal }).then(
        (quotas) => quotas.remaining.total,
        (error: unknown) => {
          // A key that lacks the scope for quotas is still valid.
          if (error instanceof ApiError && error.status === 403) return undefined;
          throw error;
        },
      );
      const result = {
        profile: profile.name ?? null,
        url: profile.url,
        key: maskKey(profile.apiKey),
        remaining: remaining ?? null,
      };
      output.result(result, () => {
        const source = profile.name === undefined ? 'environment' : `profile ${profile.name}`;
        output.table(
          ['', ''],
          [
            ['Service', profile.url],
            ['Key', `${result.key} (${source})`],
            ['Documents left', remaining?.docs ?? 'the key lacks the scope account:read'],
            ['Templates left', remaining?.templates],
          ],
        );
      });
    });
}

/** Long enough to recognise a key, too short to use it. */
function maskKey(key: string): string {
  return key.length < 20 ? '…' : `${key.slice(0, 4)}…${key.slice(-4)}`;
}
