import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import type { components } from '@docmill/client';
import { checkId } from '../check-id.ts';
import type { Cli } from '../cli.ts';
import { wholeNumber } from '../option-values.ts';
import { take } from '../take.ts';

type Delivery = components['schemas']['Delivery'];

const statuses = [
  'pending',
  'sending',
  'sent',
  'partial',
  'failed',
  'unknown',
  'skipped',
] as const satisfies readonly Delivery['status'][];

export function deliveriesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('deliveries')
    .description('list, show and resend the e-mails of documents')
    .addCommand(listCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(resendCommand(cli));
}

function listCommand(cli: Cli): CommandUnknownOpts {
  return new Command('list')
    .description('list deliveries, newest first')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(statuses))
    .option('--limit <number>', 'at most this many (default: 20)', wholeNumber(1, 1_000_000))
    .action(async ({ status, limit = 20 }, command) => {
      const { output, connect } = cli.start(command);
      const query = { limit: Math.min(limit, 1_000), ...(status !== undefined && { status }) };
      const deliveries = await take(connect().docmill.deliveries.list(query, { signal: cli.signal }), limit);
      output.result(deliveries, () =>
        output.table(
          ['ID', 'STATUS', 'ATTEMPTS', 'RECIPIENTS', 'DOCUMENT', 'CREATED'],
          deliveries.map(({ id, status, attempts, recipients, documentId, createdAt }) => [
            ...[id, status, attempts, recipients.length, documentId, createdAt],
          ]),
        ),
      );
    });
}

function showCommand(cli: Cli): CommandUnknownOpts {
  return new Command('show')
    .description('show one delivery, with the state of each recipient')
    .argument('<id>', 'id of the delivery')
    .action(async (id, _options, command) => {
      const { output, connect } = cli.start(command);
      const delivery = await connect().docmill.deliveries.get(checkId('dlv', id), { signal: cli.signal });
      output.result(delivery, () => {
        const { recipients, ...fields } = delivery;
        const cells = Object.entries(fields).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : String(value),
        ]);
        output.table(['FIELD', 'VALUE'], cells);
        output.line('');
        output.table(
          ['RECIPIENT', 'STATUS', 'REPLY'],
          recipients.map(({ address, status, reply }) => [address, status, reply]),
        );
      });
    });
}

function resendCommand(cli: Cli): CommandUnknownOpts {
  return new Command('resend')
    .description('send an ended delivery again, to the recipients whose delivery is not confirmed')
    .argument('<id>', 'id of the delivery')
    .option('--dry-run', 'print the delivery and do not send it')
    .action(async (id, { dryRun }, command) => {
      const { output, connect } = cli.start(command);
      const { deliveries } = connect().docmill;
      const isDry = dryRun === true;
      const call = { signal: cli.signal };
      const delivery = await (isDry
        ? deliveries.get(checkId('dlv', id), call)
        : deliveries.resend(checkId('dlv', id), call));
      output.result({ ...delivery, dryRun: isDry }, () => output.line(`${delivery.id} ${delivery.status}`));
    });
}
