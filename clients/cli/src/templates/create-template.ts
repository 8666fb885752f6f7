import { createHash } from 'node:crypto';
import { ConflictError, type components, type Docmill, NotFoundError } from '@docmill/client';
import { checksumOf, fileKey, toTemplateFile } from './template-file.ts';

type Uploaded = components['schemas']['UploadedTemplate'];

/**
 * How often a template of one name can be created and deleted while the service remembers the keys, by default for a
 * day.
 */
const maxKeys = 100;

/**
 * Uploads the first template with a name. Two machines that do so at the same time use the same idempotency key, so
 * that the service creates one template: both get it if their files are equal, otherwise the second gets undefined. If
 * the template of a key was deleted or renamed, the next key is used.
 */
export async function createTemplate(
  templates: Docmill['templates'],
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  { signal, delimiters }: { readonly signal: AbortSignal; readonly delimiters: string | undefined },
): Promise<Uploaded | undefined> {
  const isSameName = (other: { readonly name: string }): boolean =>
    fileKey(toTemplateFile(other.name)) === fileKey(toTemplateFile(name));
  for (let number = 1; number <= maxKeys; number++) {
    const text = `docmill templates push ${number} ${fileKey(name)}`;
    const idempotencyKey = createHash('sha256').update(text).digest('hex');
    try {
      const uploaded = await templates.upload(name, bytes, { idempotencyKey, signal, delimiters });
      const current = await templates.get(uploaded.id, { signal });
      if (isSameName(current)) return current.checksum === checksumOf(bytes) ? { ...uploaded, ...current } : undefined;
    } catch (error) {
      if (error instanceof ConflictError) {
        // This key was used for another file.
        for await (const template of templates.list({ limit: 1_000 }, { signal }))
          if (isSameName(template)) return undefined;
      } else if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return undefined;
}
