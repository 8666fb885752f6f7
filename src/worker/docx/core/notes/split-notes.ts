import type { Node, PartNodes } from '../nodes.ts';
import { noteId, noteKindOf, notePart } from './note-parts.ts';

/**
 * The compiled notes of a part, each as a part of its own. Other parts stay as they are, and so do notes of a kind to
 * which nothing in `body` refers, such as the comments of a PDF: they are filled once, with the whole data.
 */
export function splitNotes(part: PartNodes, contentType: string, body: () => string): readonly PartNodes[] {
  const kind = noteKindOf(contentType);
  if (kind === undefined) return [part];
  if (!body().includes(`${kind}Reference`)) return [{ ...part, isEmbedded: false }];
  const boundary = new RegExp(`(<w:${kind}(?:\\s[^>]*[^/>])?>|</w:${kind}\\s*>)`);
  const found: PartNodes[] = [];
  let open: { readonly id: string; readonly nodes: Node[] } | undefined;
  for (const node of part.nodes) {
    if (node.kind !== 'text') {
      open?.nodes.push(node);
      continue;
    }
    let { mark } = node;
    for (const xml of node.xml.split(boundary)) {
      if (boundary.test(xml) && !xml.startsWith('</')) open = { id: noteId(xml), nodes: [] };
      open?.nodes.push({ kind: 'text', xml, mark });
      if (xml !== '') mark = undefined;
      if (open === undefined || !boundary.test(xml) || !xml.startsWith('</')) continue;
      found.push({ ...part, name: notePart(part.name, open.id), nodes: open.nodes });
      open = undefined;
    }
  }
  return found;
}
