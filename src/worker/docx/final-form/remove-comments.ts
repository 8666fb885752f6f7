import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { PackageAdditions } from '../core/render/package-additions.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { dropCommentMarks } from '../sanitize/drop-comment-marks.ts';
import { removeContentTypes } from '../sanitize/sanitize-package.ts';

/** The kinds of parts with comments, their states and their authors (ECMA-376 part 1, 11.3.2; MS-DOCX, 2.1). */
const kinds = new Set(['comments', 'commentsextended', 'commentsids', 'commentsextensible', 'people']);

/** The changes that remove all comments with their texts and authors; null removes a part. */
export function removeComments(docx: DocxPackage): ReadonlyMap<string, Uint8Array | null> {
  const relationships = readRelationships(docx.readText(relationshipsPartOf(docx.mainPart)) ?? '');
  const found = relationships.filter(({ kind, isExternal }) => kinds.has(kind) && !isExternal);
  const changes = new Map<string, Uint8Array | null>(dropCommentMarks(docx));
  if (found.length === 0) return changes;
  const additions = new PackageAdditions(docx);
  const removed = new Map<string, unknown>();
  for (const { id, target } of found) {
    additions.dropRelationship(docx.mainPart, id);
    const part = docx.entry(resolveTarget(docx.mainPart, target))?.name;
    if (part === undefined) continue;
    removed.set(part.toLowerCase(), part);
    for (const name of [part, docx.entry(relationshipsPartOf(part))?.name])
      if (name !== undefined) changes.set(name, null);
  }
  for (const [name, content] of additions.changes()) changes.set(name, content);
  removeContentTypes(docx, removed, changes);
  return changes;
}
