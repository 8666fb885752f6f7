import { AppError } from '../../../../src/shared/errors.ts';
import { type DocxPackage, openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';

/** Fills a template in this thread and opens the result again. A string is the text of one paragraph. */
export function fill(template: DocxInput | string, data: unknown): DocxPackage {
  const input = typeof template === 'string' ? { body: paragraph(template) } : template;
  const { file } = renderTemplate(prepareTemplate(buildDocx(input), 'docx'), Buffer.from(JSON.stringify(data)));
  return openPackage(file);
}

/** The visible text of a part: one line per paragraph, breaks and tabs as characters, cells preceded by `|`. */
export function textOf(docx: DocxPackage, part = 'word/document.xml'): string {
  const xml = (docx.readText(part) ?? '').replace(
    /^[\s\S]*?<w:(?:body|hdr|ftr|footnotes|endnotes|comments)\b[^>]*>/,
    '',
  );
  return xml
    .replace(/<w:(?:tab)\/>/g, '\t')
    .replace(/<w:br\/>/g, '\v')
    .replace(/<w:br w:type="page"\/>/g, '[page]')
    .replace(/<w:tc[ >]/g, '|<')
    .replace(/<\/w:p>|<w:p\/>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\n$/, '');
}

export function fillText(template: DocxInput | string, data: unknown): string {
  return textOf(fill(template, data));
}

/** The error of a call that must fail. */
export function errorOf(call: () => unknown): AppError {
  try {
    call();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('expected an error');
}
