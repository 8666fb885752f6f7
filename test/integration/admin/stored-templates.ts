import { createHash } from 'node:crypto';
import type { Database } from '../../../src/shared/db/client.ts';
import { createTemplate } from '../../../src/shared/domain/templates/create-template.ts';
import { removeTemplate } from '../../../src/shared/domain/templates/remove-template.ts';
import { buildDocx } from '../../support/documents/docx-builder.ts';
import { newAccount, templateInput } from '../../support/domain/accounts.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { storageVariables } from './run-admin.ts';

/**
 * An account without templates, a way to upload some with their bytes, and the variables of a command that reads them.
 */
export async function newStoredTemplates(db: Database, url: string) {
  const deps = await newWorkerDeps(db, url);
  const { accountId, templateId } = await newAccount(db, { templates: 10, docs: 10 });
  await removeTemplate(db, accountId, templateId);
  return {
    deps,
    accountId,
    env: { DATABASE_URL: url, ...storageVariables(deps.config) },
    async upload(body: string, name = 'Letter.docx'): Promise<string> {
      const bytes = buildDocx({ body });
      const checksum = createHash('sha256').update(bytes).digest('hex');
      const input = templateInput(accountId, { name, checksum, sizeBytes: bytes.length });
      await deps.objects.put(input.objectKey, bytes, 'application/octet-stream');
      return (await createTemplate(db, input)).id;
    },
  };
}
