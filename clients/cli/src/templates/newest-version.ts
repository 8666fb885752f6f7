import type { Docmill } from '@docmill/client';
import type { TemplateMetadata } from '../find-template.ts';

/**
 * The template with the version and the file of its newest draft, if one waits for approval: a folder of templates
 * follows what was uploaded last, although it is not live yet.
 */
export async function newestVersion<T extends TemplateMetadata>(
  { templates }: Docmill,
  template: T,
  signal: AbortSignal,
): Promise<T> {
  const { id, version, draftVersion } = template;
  if (draftVersion === undefined || draftVersion === version) return template;
  for await (const one of templates.versions(id, { limit: 1 }, { signal })) {
    if (one.version === draftVersion) return { ...template, version: one.version, checksum: one.checksum };
    break;
  }
  return template;
}
