import type { DocxPackage } from './open-package.ts';

export function isXmlPart(docx: DocxPackage, name: string): boolean {
  return /\.(?:xml|rels|svg|vml)$/i.test(name) || /[+/]xml$/.test(docx.contentType(name) ?? '');
}

export function isSvgPart(docx: DocxPackage, name: string): boolean {
  return /\.svg$/i.test(name) || docx.contentType(name) === 'image/svg+xml';
}

/** Imported web pages and web archives. They are removed before conversion, so nothing reads them. */
export function isHtmlPart(docx: DocxPackage, name: string): boolean {
  return /\.(?:x?html?|mht|mhtml)$/i.test(name) || /html|message\/rfc822/.test(docx.contentType(name) ?? '');
}
