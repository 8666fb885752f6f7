import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../harness/machine.ts';
import type { Tenant } from './measure-point.ts';
import type { Fabric } from './stack.ts';

/** A template for each account, through the API. */
export async function uploadTemplates(fabric: Fabric, apiKeys: readonly string[]): Promise<readonly Tenant[]> {
  const fleet = await fabric.startFleet(1, 1);
  try {
    const file = new Blob([new Uint8Array(readFileSync(join(projectFolder, 'examples/letter.docx')))]);
    const tenants: Tenant[] = [];
    for (const apiKey of apiKeys) {
      const form = new FormData();
      form.set('name', 'letter.docx');
      form.set('file', file, 'letter.docx');
      const headers = { Authorization: `Bearer ${apiKey}` };
      const answer = await fetch(`${fleet.urls[0]}/v1/templates`, { method: 'POST', body: form, headers });
      if (answer.status !== 201) throw new Error(`a template was answered ${answer.status}: ${await answer.text()}`);
      tenants.push({ apiKey, templateId: ((await answer.json()) as { id: string }).id });
    }
    return tenants;
  } finally {
    await fleet.stop();
  }
}
