import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { png } from '../api/pictures.ts';

/**
 * Creates what the examples of the API use: a folder with their files, and a server that receives webhooks. Both exist
 * until the tests have ended.
 */
export async function useExampleFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-examples-'));
  const receiver = await startWebhookReceiver();
  afterAll(async () => {
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const invoice = paragraph('Dear {customer.name}') + paragraph('{#items}{name}: {amount}{/items}');
  const files = {
    'invoice.docx': buildDocx({ body: invoice }),
    'logo.png': png(4, 4, [200, 30, 30]),
    'acme-sans-bold.ttf': buildFont(),
    'invoice.xml': readFileSync('packages/einvoice/test/invoices/cii-example5.xml'),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return {
    folder,
    webhookUrl: `${receiver.url}/`,
    /** Replaces the webhook address of the examples by that of the server. */
    replaceAddress: (text: string) => text.replaceAll('https://example.com/hooks/docmill', `${receiver.url}/`),
  };
}

/** Splits a list at its commas. */
export const listOf = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);
