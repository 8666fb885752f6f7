import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { eventTypes } from '../../../src/shared/domain/webhooks/event-outbox.ts';
import { newSigningSecret } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { webhookPausesMs } from '../../../src/worker/retry-policy.ts';
import { signedHeaders } from '../../../src/worker/webhooks/sign.ts';

const guide = readFileSync('docs/guides/webhooks.md', 'utf8');

function found(pattern: RegExp): string {
  const text = pattern.exec(guide)?.[1];
  if (text === undefined) throw new Error(`the guide has no ${pattern}`);
  return text;
}

it('shows a request whose signature matches its secret', () => {
  const content = {
    id: found(/^webhook-id: (\S+)$/m),
    timestampSeconds: Number(found(/^webhook-timestamp: (\d+)$/m)),
    body: found(/\n\n(\{"type":"document\.succeeded".*\})\n/),
  };
  const headers = signedHeaders(content, [found(/"secret":"(whsec_[^"]+)"/)]);
  expect(headers['webhook-signature']).toBe(found(/^webhook-signature: (.+)$/m));
});

it('lists every event, and the pauses between attempts', () => {
  for (const type of eventTypes) expect(guide).toContain(`| \`${type}\` |`);
  const units = { s: 1_000, min: 60_000, h: 3_600_000 };
  const row = found(/^\| pause before it \| at once \|(.+)\|$/m).matchAll(/(\d+) (s|min|h)\b/g);
  expect([...row].map(([, count, unit]) => Number(count) * units[unit as keyof typeof units])).toEqual(webhookPausesMs);
});

it('has a receiver that runs and verifies signatures', async () => {
  const secret = newSigningSecret();
  const code = found(/```js\n([\s\S]+?)```/).replace(
    '.listen(8080)',
    '.listen(0, "127.0.0.1", function () { console.log(this.address().port); })',
  );
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void receiver.kill());
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  const { value: port } = await lines.next();
  const content = {
    id: 'evt_1',
    timestampSeconds: Math.floor(Date.now() / 1_000),
    body: '{"type":"t","data":{"id":1}}',
  };
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: signedHeaders(content, [secret]), body });
  expect((await post(content.body)).status).toBe(204);
  expect((await lines.next()).value).toBe('evt_1 t { id: 1 }');
  expect((await post(`${content.body} `)).status).toBe(400);
});
