import type { Relationship } from '@docmill/word/relationships';
import type { DocxPackage } from '../package/open-package.ts';
import type { WarningCode } from './warnings.ts';

const byName: readonly (readonly [RegExp, WarningCode])[] = [
  [/(?:^|\/)vbaproject[^/]*\.bin$|(?:^|\/)vbadata\.xml$/i, 'active_content'],
  [/(?:^|\/)(?:activex|customui|webextensions)\//i, 'active_content'],
  [/(?:^|\/)attachedtoolbars\.bin$|\.exd$|\.ocx$/i, 'active_content'],
  [/\.odttf$/i, 'embedded_font'],
  [/(?:^|\/)embeddings\//i, 'embedded_object'],
  [/\.(?:x?html?|mht|mhtml|rtf)$/i, 'imported_content'],
];

const byType: readonly (readonly [RegExp, WarningCode])[] = [
  [/vbaproject|vbadata|activex|attachedtoolbars|customui|webextension|keymapcustomizations/, 'active_content'],
  [/obfuscatedfont|x-font/, 'embedded_font'],
  [/oleobject|wordprocessingml\.document$|spreadsheetml\.sheet$|presentationml\.presentation$/, 'embedded_object'],
  [/html|message\/rfc822|application\/rtf/, 'imported_content'],
];

/** Why a part must not reach the converter, by name and content type; undefined if it may. */
export function reasonToRemovePart(docx: DocxPackage, name: string): WarningCode | undefined {
  const type = docx.contentType(name) ?? '';
  const found = byName.find(([pattern]) => pattern.test(name)) ?? byType.find(([pattern]) => pattern.test(type));
  return found?.[1];
}

// Kinds that are removed even if their target is inside the package.
const byKind: Readonly<Record<string, WarningCode>> = {
  attachedtemplate: 'attached_template',
  oleobject: 'embedded_object',
  package: 'embedded_object',
  afchunk: 'imported_content',
  subdocument: 'imported_content',
  frame: 'imported_content',
  transform: 'external_reference',
  mailmergesource: 'mail_merge',
  mailmergeheadersource: 'mail_merge',
  mailmergerecipientdata: 'mail_merge',
  recipientdata: 'mail_merge',
  vbaproject: 'active_content',
  wordvbadata: 'active_content',
  control: 'active_content',
  activexcontrolbinary: 'active_content',
  keymapcustomizations: 'active_content',
  attachedtoolbars: 'active_content',
  extensibility: 'active_content',
  usercustomization: 'active_content',
  webextension: 'active_content',
  webextensiontaskpanes: 'active_content',
  taskpanes: 'active_content',
  font: 'embedded_font',
  video: 'media',
  audio: 'media',
  media: 'media',
};

/** Why a relationship must not reach the converter; undefined if it may. */
export function reasonToRemoveRelationship({ kind, isExternal, target }: Relationship): WarningCode | undefined {
  const reason = byKind[kind];
  if (reason !== undefined || !isExternal) return reason;
  if (kind === 'hyperlink') return isWebLink(target) ? undefined : 'hyperlink';
  return kind === 'image' ? 'linked_picture' : 'external_reference';
}

/** A link that readers of the PDF may follow: http, https, mailto, or a location in the document. */
export function isWebLink(target: string): boolean {
  return /^(?:https?:|mailto:|#)/i.test(target.trim());
}
