import type { Warning } from '../core/warning.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { fieldLanguage } from './format-number.ts';
import { markSections } from './page-facts.ts';
import { updateFields } from './update-fields.ts';

export interface DocumentFields {
  /** The names of parts that may have fields to compute. */
  readonly parts: readonly string[];
  readonly locale: string;
  readonly fileName: string | undefined;
  /** Whether results replace their fields, because a converter would compute them differently. */
  readonly isForConverter: boolean;
}

export interface UpdatedDocument {
  /** The given parts, with fields that are computed. */
  readonly parts: ReadonlyMap<string, Buffer>;
  readonly warnings: readonly Warning[];
  /** Whether fields remain that depend on the pages: see `pageVariants`. */
  readonly hasPageFields: boolean;
}

const story = /\.(?:document\.main|template\.main|header|footer|footnotes|endnotes)\+xml$/;

/** Whether a part holds text with fields. */
export function isStory(source: DocxPackage, name: string): boolean {
  return name === source.mainPart || story.test(source.contentType(name) ?? '');
}

/** Computes the fields of a filled document that do not depend on its pages. `filled` has its changed parts. */
export function updateDocument(
  source: DocxPackage,
  filled: ReadonlyMap<string, Buffer>,
  { parts, locale, fileName, isForConverter }: DocumentFields,
): UpdatedDocument {
  if (parts.length === 0) return { parts: filled, warnings: [], hasPageFields: false };
  const changed = new Map(filled);
  const warnings: Warning[] = [];
  let hasPageFields = false;
  const language = fieldLanguage(locale);
  for (const name of parts) {
    const xml = filled.get(name)?.toString('utf8') ?? source.readText(name) ?? '';
    const facts = { language, fileName, isBody: name === source.mainPart };
    const updated = updateFields(xml, { facts, replaces: isForConverter });
    hasPageFields ||= updated.ofPages.length > 0;
    // A part for a converter is cleaned again, even if nothing was computed.
    if (updated.xml !== undefined || isForConverter) changed.set(name, Buffer.from(updated.xml ?? xml, 'utf8'));
    for (const error of updated.errors)
      warnings.push({
        code: 'field_error',
        message: `A formula cannot be computed, and prints its error: ${error}`,
        part: name,
      });
  }
  if (isForConverter && hasPageFields) {
    const name = source.mainPart;
    const xml = changed.get(name)?.toString('utf8') ?? source.readText(name) ?? '';
    changed.set(name, Buffer.from(markSections(xml), 'utf8'));
  }
  return { parts: changed, warnings, hasPageFields };
}
