import { type Relationship, readRelationships, resolveTarget, sourcePartOf } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { scanXmlTags } from '@docmill/word/xml-tokens';
import type { Warning } from '../core/warning.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { isSvgPart, isXmlPart } from '../package/part-kind.ts';
import { cleanMarkup, needsCleaning } from './clean-markup.ts';
import { isDataPart, removeContentTypes } from './sanitize-package.ts';
import type { WarningCode } from './warnings.ts';

export interface ExternalContent {
  /** The changes that remove it, for `writePackage` or `overlayPackage`; null removes a part. */
  readonly changes: ReadonlyMap<string, Uint8Array | null>;
  /** Content that the document loads from outside, and signatures that become invalid when it is filled. */
  readonly warnings: readonly Warning[];
}

/** Relationship kinds that import content, even from a part of the package, with the warning code of their elements. */
const importedKinds: ReadonlyMap<string, WarningCode> = new Map<string, WarningCode>([
  ['afchunk', 'imported_content'],
  ['subdocument', 'imported_content'],
  ['mailmergesource', 'mail_merge'],
  ['mailmergeheadersource', 'mail_merge'],
  ['mailmergerecipientdata', 'mail_merge'],
  ['recipientdata', 'mail_merge'],
]);

const elements: ReadonlyMap<string, WarningCode> = new Map<string, WarningCode>([
  ['altChunk', 'imported_content'],
  ['subDoc', 'imported_content'],
  ['mailMerge', 'mail_merge'],
]);

const maxWarnings = 50;
const signedMessage =
  'The template is digitally signed, and a filled document no longer matches the signature. Sign the finished document.';

/**
 * Finds what Word loads from outside when it opens the document: linked pictures and objects, attached templates,
 * imported files, sources of mail merges, and fields that read files. Also finds digital signatures, which filling
 * invalidates. Hyperlinks count as content.
 */
export function findExternalContent(docx: DocxPackage): ExternalContent {
  const changes = new Map<string, Uint8Array | null>();
  const found = new Map<string, Warning>();
  const warn = (code: string, message: string, part: string) => {
    if (found.size < maxWarnings) found.set(`${message} ${part}`, { code, message, part });
  };
  const removedParts = removeSignatures(docx, changes);
  for (const name of removedParts.keys()) warn('signature_invalid', signedMessage, name.replace(/\/.*/, ''));
  const removedIdsOf = new Map<string, Set<string>>();
  const linkIdsOf = new Map<string, Set<string>>();
  /** Parts reported for their relationships, so that their elements are not reported again. */
  const reported = new Set<string>();
  for (const relsName of docx.partNames.filter((name) => /\.rels$/i.test(name) && changes.get(name) !== null)) {
    const source = sourcePartOf(relsName);
    const xml = docx.readText(relsName) ?? '';
    const edits = new TextEdits();
    const removedIds = new Set<string>();
    const linkIds = new Set<string>();
    for (const relationship of readRelationships(xml)) {
      const { id, kind, target, isExternal, start, end } = relationship;
      const part = isExternal ? '' : resolveTarget(source, target).toLowerCase();
      if (isExternal && kind === 'hyperlink') linkIds.add(id);
      else if (isExternal || importedKinds.has(kind)) {
        warn('external_content', messageOf(relationship), source === '' ? relsName : source);
        reported.add(`${source.toLowerCase()} ${importedKinds.get(kind)}`);
        if (!isExternal && part !== docx.mainPart.toLowerCase()) removedParts.set(part, kind);
      } else if (!removedParts.has(part)) continue;
      if (linkIds.has(id)) continue;
      removedIds.add(id);
      edits.replace(start, end);
    }
    if (!edits.isEmpty) changes.set(relsName, Buffer.from(edits.apply(xml)));
    removedIdsOf.set(source.toLowerCase(), removedIds);
    linkIdsOf.set(source.toLowerCase(), linkIds);
  }
  for (const name of docx.partNames) if (removedParts.has(name.toLowerCase())) changes.set(name, null);
  for (const name of docx.partNames) {
    if (changes.has(name) || !isXmlPart(docx, name) || isSvgPart(docx, name)) continue;
    const removedIds = removedIdsOf.get(name.toLowerCase()) ?? new Set();
    const linkIds = linkIdsOf.get(name.toLowerCase()) ?? new Set();
    const xml = docx.readText(name) ?? '';
    if (!needsCleaning(xml, { removedIds, linkIds })) continue;
    const cleaned = cleanMarkup({
      xml,
      removedIds,
      linkIds,
      elements,
      keepsContent: true,
      keepsLinks: () => true,
      isData: () => isDataPart(docx, name),
      onRemoved: (code) => {
        if (!reported.has(`${name.toLowerCase()} ${code}`))
          warn('external_content', markupMessages[code] ?? otherMessage, name);
      },
    });
    if (cleaned !== undefined) changes.set(name, Buffer.from(cleaned));
  }
  removeContentTypes(docx, removedParts, changes);
  return { changes, warnings: [...found.values()] };
}

const otherMessage = 'The document refers to content outside of it.';
const markupMessages: Partial<Record<WarningCode, string>> = {
  outside_field: 'A field reads content from outside the document.',
  linked_picture: 'The document shows a picture from outside.',
  imported_content: 'The document imports another file when it is opened.',
  mail_merge: 'The document is connected to the data source of a mail merge.',
};

/** Relationship kinds in plain words (ECMA-376 part 1, 11.3 and 15.2), by the lower-case end of their type. */
const kindNames: ReadonlyMap<string, string> = new Map([
  ['image', 'picture'],
  ['attachedtemplate', 'attached template'],
  ['oleobject', 'linked object'],
  ['package', 'linked object'],
  ['subdocument', 'subdocument'],
  ['afchunk', 'imported file'],
  ['mailmergesource', 'data source of a mail merge'],
  ['mailmergeheadersource', 'header source of a mail merge'],
  ['mailmergerecipientdata', 'recipients of a mail merge'],
  ['recipientdata', 'recipients of a mail merge'],
  ['frame', 'frame'],
  ['audio', 'sound'],
  ['video', 'video'],
  ['media', 'media'],
  ['externallinkpath', 'linked workbook'],
  ['transform', 'transformation'],
]);

function messageOf({ kind, target, isExternal }: Relationship): string {
  const what = kindNames.get(kind) ?? 'other content';
  if (!isExternal) return `The document imports the content of another file (${what}).`;
  return `The document loads content from outside when it is opened (${what}, from ${originOf(target)}).`;
}

/** The origin of a target, without path, query and credentials. */
function originOf(target: string): string {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined) return 'a file';
  return url.host === '' ? url.protocol.replace(':', '') : `${url.protocol}//${url.host}`;
}

/**
 * Removes the signature parts (ECMA-376 part 2, 13) and their mark in the properties. Returns their lower-case names.
 */
function removeSignatures(docx: DocxPackage, changes: Map<string, Uint8Array | null>): Map<string, string> {
  const removed = new Map<string, string>();
  for (const name of docx.partNames) {
    if (!/^_xmlsignatures\//i.test(name) && !/digital-signature/.test(docx.contentType(name) ?? '')) continue;
    removed.set(name.toLowerCase(), 'signature');
    changes.set(name, null);
  }
  const properties = docx.partNames.find((name) => name.toLowerCase() === 'docprops/app.xml');
  if (removed.size === 0 || properties === undefined) return removed;
  const xml = docx.readText(properties) ?? '';
  const edits = new TextEdits();
  let start = -1;
  scanXmlTags(xml, (tag) => {
    if (tag.local !== 'DigSig') return;
    if (tag.kind === 'open') start = tag.start;
    else edits.replace(tag.kind === 'empty' ? tag.start : start, tag.end);
  });
  if (!edits.isEmpty) changes.set(properties, Buffer.from(edits.apply(xml)));
  return removed;
}
