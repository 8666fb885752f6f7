import type { DocxPackage } from '../package/open-package.ts';

const settingsPart = 'word/settings.xml';
const symbol = /<w:decimalSymbol\b[^>]*(?:\/>|>\s*<\/w:decimalSymbol>)/;
const decimalTab = /<w:tab\b[^>]*\bw:val="decimal"/;

/** Whether text may be aligned at a decimal tab (ECMA-376 part 1, 17.18.84). */
export function hasDecimalTabs(source: DocxPackage): boolean {
  return source.partNames.some(
    (name) => /^word\/[^/]*\.xml$/i.test(name) && decimalTab.test(source.readText(name) ?? ''),
  );
}

/**
 * The settings with the character at which decimal tabs align: that of the language of the document's numbers, whatever
 * language Word had when the template was saved. Only a comma is written, because a point is what converters expect.
 */
export function withDecimalSymbol(source: DocxPackage, decimal: string): ReadonlyMap<string, Buffer> {
  const xml = source.readText(settingsPart);
  if (xml === undefined) return new Map();
  const plain = xml.replace(symbol, '');
  const end = plain.lastIndexOf('</w:settings>');
  const written =
    decimal === ',' && end >= 0 ? `${plain.slice(0, end)}<w:decimalSymbol w:val=","/>${plain.slice(end)}` : plain;
  return written === xml ? new Map() : new Map([[settingsPart, Buffer.from(written)]]);
}

/** Separators of thousands that LibreOffice reads as part of a number. */
export const isKnownGroup = (group: string): boolean => /^[.,']?$/.test(group);
