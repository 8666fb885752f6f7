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

/** Why a part must not reach the converter, by its name and content type, or undefined when it may. */
export function judgePart(docx: DocxPackage, name: string): WarningCode | undefined {
  const type = docx.contentType(name) ?? '';
  const found = byName.find(([pattern]) => pattern.test(name)) ?? byType.find(([pattern]) => pattern.test(type));
  return found?.[1];
}
