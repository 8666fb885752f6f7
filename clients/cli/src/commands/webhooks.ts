import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command, Option } from '@commander-js/extra-typings';
import type { components } from '@docmill/client';
import { checkId } from '../check-id.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { wholeNumber } from '../option-values.ts';
import { take } from '../take.ts';

type Delivery = components['schemas']['WebhookDelivery'];

const statuses = ['pending', 'sending', 'delivered', 'failed'] as const satisfies readonly Delivery['status'][];

export function webhooksCommand(cli: Cli): CommandUnknownOpts {
  return new Command('webhooks')
    .description('list and test webhooks, and see and repeat what was sent to them')
    .addCommand(listCommand(cli))
    .addCommand(testCommand(cli))
    .addCommand(deliveriesCommand(cli))
    .addCommand(redeliverCommand(cli));
}

function listCommand(cli: Cli): CommandUnknownOpts {
  return new Command('list').description('list the webhooks of the account').action(async (_options, command) => {
    const { output, connect } = cli.start(command);
    const webhooks = await connect().docmill.webhooks.list({ signal: cli.signal }).all();
    output.result(webhooks, () =>
      output.table(
        ['ID', 'STATUS', 'ADDRESS', 'EVENTS', 'CREATED'],
        webhooks.map(({ id, status, url, kind, events, createdAt }) => [
          ...[id, status, url ?? kind, events.join(', '), createdAt],
        ]),
      ),
    );
  });
}

function testCommand(cli: Cli): CommandUnknownOpts {
  return new Command('test')
    .description('send one webhook.test event and print what the receiver answered')
    .argument('<id>', 'id of the webhook')
    .action(async (id, _options, command) => {
      const { output, connect } = cli.start(command);
      const delivery = await connect().docmill.webhooks.test(checkId('whk', id), { signal: cli.signal });
      output.result(delivery, () => output.line(describe(delivery)));
      if (delivery.status !== 'delivered') cli.setExitCode(exitCodes.failed);
    });
}

function deliveriesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('deliveries')
    .description('list what was sent to a webhook in the last 30 days, newest first')
    .argument('<id>', 'id of the webhook, or `callbacks` for those of single requests')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(statuses))
    .option('--limit <number>', 'at most this many (default: 20)', wholeNumber(1, 1_000_000))
    .action(async (id, { status, limit = 20 }, command) => {
      const { output, connect } = cli.start(command);
      const query = { limit: Math.min(limit, 1_000), ...(status !== undefined && { status }) };
      const { webhooks } = connect().docmill;
      const deliveries = await take(webhooks.deliveries(checkWebhookId(id), query, { signal: cli.signal }), limit);
      output.result(deliveries, () =>
        output.table(
          ['ID', 'EVENT', 'STATUS', 'ATTEMPTS', 'ANSWER', 'CREATED'],
          deliveries.map((one) => [
            ...[one.id, one.eventType, one.status, one.attempts, one.response?.status ?? one.error, one.createdAt],
          ]),
        ),
      );
    });
}

function redeliverCommand(cli: Cli): CommandUnknownOpts {
  return new Command('redeliver')
    .description('send an ended delivery of a webhook again')
    .argument('<id>', 'id of the webhook, or `callbacks`')
    .argument('<delivery>', 'id of the delivery')
    .option('--dry-run', 'print the delivery and do not send it')
    .action(async (id, deliveryId, { dryRun }, command) => {
      const { output, connect } = cli.start(command);
      const { webhooks } = connect().docmill;
      const isDry = dryRun === true;
      const call = { signal: cli.signal };
      const ids = [checkWebhookId(id), checkId('whd', deliveryId)] as const;
      const delivery = await (isDry ? webhooks.delivery(...ids, call) : webhooks.redeliver(...ids, call));
      output.result({ ...delivery, dryRun: isDry }, () => output.line(`${delivery.id} ${delivery.status}`));
    });
}

function checkWebhookId(id: string): string {
  return id === 'callbacks' ? id : checkId('whk', id);
}

function describe({ id, status, response, error, durationMs }: Delivery): string {
  const answer = response === undefined ? (error ?? 'no answer yet') : `status ${response.status}`;
  return `${id} ${status}: ${answer}${durationMs === undefined ? '' : `, ${durationMs} ms`}`;
}
