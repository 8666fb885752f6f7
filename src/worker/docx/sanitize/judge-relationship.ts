import type { Relationship } from '../package/relationships.ts';
import type { WarningCode } from './warnings.ts';

// Kinds that are removed even when their target lies inside the package.
const unwanted: Readonly<Record<string, WarningCode>> = {
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

/** Why a relationship must not reach the converter, or undefined when it may. */
export function judgeRelationship({ kind, isExternal, target }: Relationship): WarningCode | undefined {
  const reason = unwanted[kind];
  if (reason !== undefined || !isExternal) return reason;
  if (kind === 'hyperlink') return isWebLink(target) ? undefined : 'hyperlink';
  return kind === 'image' ? 'linked_picture' : 'external_reference';
}

/** A link a reader of the PDF may follow: http, https, mailto, or a place in the document itself. */
export function isWebLink(target: string): boolean {
  return /^(?:https?:|mailto:|#)/i.test(target.trim());
}
