import { setTimeout as pause } from 'node:timers/promises';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { ApiError, ConnectionError, type components, type Docmill } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Forwarded, forwardEvent, newSecret } from '../listen/forward-event.ts';
import { createEventReader } from '../listen/read-new-events.ts';
import { collect, wholeNumber } from '../option-values.ts';
import type { Output } from '../output.ts';

type Delivery = components['schemas']['WebhookDelivery'];

/** New webhooks are discovered after this many polls. */
const pollsPerList = 15;
const longestPauseMs = 30_000;

export function listenCommand(cli: Cli): CommandUnknownOpts {
  return new Command('listen')
    .description('forward the events of the webhooks of the account to a server on this machine')
    .requiredOption('--forward-to <address>', 'where to send them, such as http://localhost:3000/hooks')
    .option('--webhook <id>', 'only those of this webhook, or of `callbacks`; may be repeated', collect)
    .option('--event <type>', 'only events of this type, such as document.failed; may be repeated', collect)
    .option('--interval <seconds>', 'pause between two requests to the service', wholeNumber(1, 60), 2)
    .addHelpText(
      'after',
      `
Each event is sent as the service sends it, signed with a secret that is printed at the start, or with the one in
DOCMILL_WEBHOOK_SECRET. Ctrl-C ends the command.

Example:
  docmill listen --forward-to http://localhost:3000/hooks --event document.failed`,
    )
    .action(async (flags, command) => {
      const { output, connect } = cli.start(command);
      const url = parseTarget(flags.forwardTo);
      const secret = readSecret(cli.env.DOCMILL_WEBHOOK_SECRET);
      const { docmill } = connect();
      const call = { signal: cli.signal };
      const read = createEventReader((id) => docmill.webhooks.deliveries(id, { limit: 100 }, call));
      const types = flags.event === undefined ? undefined : new Set(flags.event);
      const send = async (event: Delivery) => {
        if (types !== undefined && !types.has(event.eventType)) return;
        report(output, event, await forwardEvent(url, event, secret, cli.signal));
      };
      let ids: readonly string[] = [];
      const poll = async (count: number) => {
        if (count % pollsPerList === 0) ids = flags.webhook ?? (await listWebhooks(docmill, cli.signal));
        for (const id of ids) {
          const { events, isCut } = await read(id);
          if (isCut)
            output.warn(`More events happen than are read at a time: some of ${id} come later, or not at all.`);
          for (const event of events) await send(event);
        }
      };
      try {
        await poll(0);
        if (ids.length < 2 && flags.webhook === undefined)
          output.warn('The account has no webhook: only events of callbackUrl are forwarded.');
        if (cli.env.DOCMILL_WEBHOOK_SECRET === undefined) output.note(`Secret: ${secret}`);
        output.note(`Events go to ${url}. Ctrl-C ends.`);
        await repeat(cli.signal, output, flags.interval * 1_000, poll);
      } catch (error) {
        // Ctrl-C is the normal way to stop.
        if (!cli.signal.aborted) throw error;
      }
    });
}

/** Polls until Ctrl-C. The pause grows while the service is unreachable or limits the rate. */
async function repeat(signal: AbortSignal, output: Output, intervalMs: number, poll: (count: number) => Promise<void>) {
  let pauseMs = intervalMs;
  for (let count = 1; ; count += 1) {
    await pause(pauseMs, undefined, { signal });
    try {
      await poll(count);
      pauseMs = intervalMs;
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      output.warn(`${error instanceof Error ? error.message : String(error)}; next try in ${pauseMs / 1_000} s`);
    }
  }
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
}

/** The enabled webhooks, and the one of `callbackUrl`. */
async function listWebhooks({ webhooks }: Docmill, signal: AbortSignal): Promise<readonly string[]> {
  const all = await webhooks.list({ signal }).all();
  const enabled = all.filter(({ kind, status }) => kind === 'endpoint' && status === 'enabled');
  return ['callbacks', ...enabled.map(({ id }) => id)];
}

function parseTarget(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '') return url.href;
  throw new CliError(exitCodes.usage, '--forward-to is not an address.', 'Write http://localhost:3000/hooks.');
}

function readSecret(given: string | undefined): string {
  if (given === undefined) return newSecret();
  if (/^whsec_[A-Za-z0-9+/]{16,128}={0,2}$/.test(given)) return given;
  throw new CliError(exitCodes.usage, 'DOCMILL_WEBHOOK_SECRET is not a webhook secret.', 'It is whsec_ and base64.');
}

function report(output: Output, { eventId, eventType }: Delivery, { status, error, durationMs }: Forwarded): void {
  if (output.isJson) {
    output.line(JSON.stringify({ eventId, eventType, status: status ?? null, error: error ?? null, durationMs }));
    return;
  }
  output.line(`${new Date().toISOString()}  ${eventType}  ${eventId}  ${status ?? error}  ${durationMs} ms`);
}
