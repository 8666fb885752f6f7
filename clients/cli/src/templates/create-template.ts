import { ConflictError, type components, type Docmill } from '@docmill/client';
import { checksumOf } from './template-file.ts';

export type Uploaded = Pick<
  components['schemas']['UploadedTemplate'],
  'id' | 'name' | 'version' | 'checksum' | 'reviewState' | 'warnings'
>;

/**
 * Uploads the first template with a name. If two computers do so at the same time, the service makes one template: both
 * get it if their files are equal, otherwise the second gets undefined.
 */
export async function createTemplate(
  templates: Docmill['templates'],
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  {
    signal,
    ...settings
  }: {
    readonly signal: AbortSignal;
    readonly delimiters: string | undefined;
    readonly invoiceMap?: object | undefined;
  },
): Promise<Uploaded | undefined> {
  try {
    return await templates.put(name, bytes, { ifNoneMatch: '*', signal, ...settings });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const checksum = checksumOf(bytes);
    for await (const template of templates.list({ name }, { signal }))
      if (template.name === name && template.checksum === checksum) return { ...template, warnings: [] };
    return undefined;
  }
}
