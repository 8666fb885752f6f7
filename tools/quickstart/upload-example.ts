import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { callService, type Service } from './call-service.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly checksum: string;
}

/**
 * The id of a template with the content of the example. Runs share it to save quota. A template with other content
 * belongs to the user and is never changed: the example then gets the next free name, such as `invoice-2.docx`.
 */
export async function uploadExample(service: Service, name: string): Promise<string> {
  const bytes = await readFile(`examples/${name}`);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const stem = name.replace(/\.docx$/, '');
  // The service lists all templates whose name contains this text.
  const listed = await callService(service, `/v1/templates?limit=1000&name=${encodeURIComponent(stem)}`);
  const templates = (await listed.json()) as readonly Listed[];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}.docx`;
    const taken = templates.filter((template) => template.name === candidate);
    const same = taken.find((template) => template.checksum === checksum);
    if (same !== undefined) return same.id;
    if (taken.length === 0) return await createTemplate(service, candidate, bytes);
  }
}

async function createTemplate(service: Service, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob([bytes]), name);
  const headers = { 'if-none-match': '*' };
  const uploaded = await callService(service, '/v1/templates', { method: 'PUT', headers, body: form });
  return ((await uploaded.json()) as { readonly id: string }).id;
}
