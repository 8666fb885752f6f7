import type { Database } from '../../shared/db/client.ts';
import type { DocumentInclude } from '../../shared/domain/documents/document-record.ts';
import { resolveIncludes } from '../../shared/domain/templates/resolve-includes.ts';
import type { LoadIncludes } from '../docx/sandbox/docx-pool.ts';
import type { TemplateCache } from './template-cache.ts';

/** Loads the versions that were resolved when the document was accepted. */
export function includesLoader(templates: TemplateCache, includes: readonly DocumentInclude[]): LoadIncludes {
  return () => loadFiles(templates, includes);
}

/** Loads the current versions, or drafts of them, for a template that is not stored or has no document. Queries the database once. */
export function currentIncludesLoader(
  { db, templates }: { readonly db: Database; readonly templates: TemplateCache },
  accountId: string,
): LoadIncludes {
  let resolved: Promise<readonly DocumentInclude[]> | undefined;
  return async (references) => {
    resolved ??= resolveIncludes(db, { accountId, references, withDrafts: true });
    return await loadFiles(templates, await resolved);
  };
}

async function loadFiles(templates: TemplateCache, includes: readonly DocumentInclude[]) {
  const load = async ({ reference, objectKey, checksum }: DocumentInclude) =>
    [reference, await templates.load(objectKey, checksum)] as const;
  return new Map(await Promise.all(includes.map(load)));
}
