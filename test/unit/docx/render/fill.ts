import { AppError, type ErrorDetail } from '../../../../src/shared/errors.ts';
import type { RenderOptions } from '../../../../src/worker/docx/core/render/render-options.ts';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { type DocxPackage, openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import {
  type PrepareOptions,
  prepareTemplate,
  type RenderResources,
  type RenderTarget,
  renderTemplate,
} from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';

/** A file, the input to build one, or the text of its only paragraph. */
export type Template = DocxInput | string | Buffer;

export function bytesOf(template: Template): Buffer {
  if (Buffer.isBuffer(template)) return template;
  return buildDocx(typeof template === 'string' ? { body: paragraph(template) } : template);
}

export type How = RenderOptions & PrepareOptions & RenderResources & { readonly target?: RenderTarget };

/** Fills a template in this thread, and opens the result again. */
export function render(input: Template, data: unknown, how: How = {}) {
  const template = bytesOf(input);
  const prepared = prepareTemplate(template, how.target ?? 'docx', how);
  const filled = renderTemplate(prepared, Buffer.from(JSON.stringify(data)), how, how);
  const docx = openPackage(filled.file);
  const part = (name: string): string => docx.readText(name) ?? '';
  return { template, docx, part, xml: part('word/document.xml'), text: textOf(docx), ...filled };
}

export function fill(template: Template, data: unknown): DocxPackage {
  return render(template, data).docx;
}

export function fillText(template: Template, data: unknown): string {
  return render(template, data).text;
}

/** The XML of the filled body. */
export function fillXml(template: Template, data: unknown): string {
  return render(template, data).xml;
}

/** The rules of the file format that the filled document breaks and its template does not. */
export async function problems(input: Template, data: unknown, how: How = {}): Promise<string[]> {
  const { template, file } = render(input, data, how);
  return addedProblems(template, file);
}

/** The XML of each cell in a body, by row. */
export function cellsOf(xml: string): string[][] {
  const rows = xml.split(/<w:tr[ >]/).slice(1);
  return rows.map((row) =>
    row
      .split('<w:tc>')
      .slice(1)
      .map((cell) => cell.split('</w:tc>')[0] ?? ''),
  );
}

export const withoutTags = (xml: string): string => xml.replace(/<[^>]*>/g, '');

/** The visible text of a part: one line per paragraph, breaks and tabs as characters, and `|` before each cell. */
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

/** The details of the error for an upload that must be refused. */
export function detailsOf(template: Template, how: Parameters<typeof inspectTemplate>[1] = {}): readonly ErrorDetail[] {
  const error = errorOf(() => inspectTemplate(bytesOf(template), how));
  if (error.code !== 'template_invalid') throw error;
  return error.details ?? [];
}

export function inspect(template: Template, how: Parameters<typeof inspectTemplate>[1] = {}) {
  return inspectTemplate(bytesOf(template), how);
}

/**
 * The rows of a table, whose cells are separated by semicolons: `table(rows('Product ; Price', '{#items}{name} ;
 * {price}{/items}'))`.
 */
export function rows(...lines: readonly string[]): string[][] {
  return lines.map((line) => line.split(';').map((cell) => cell.trim()));
}

export const types = {
  core: 'application/vnd.openxmlformats-package.core-properties+xml',
  word: (kind: string) => `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
};

/** A document with this title in its properties. */
export function titled(title: string, input: DocxInput = {}): DocxInput {
  const names =
    'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"';
  const core = `<cp:coreProperties ${names}><dc:title>${title}</dc:title></cp:coreProperties>`;
  return { ...input, parts: { 'docProps/core.xml': core }, contentTypes: { 'docProps/core.xml': types.core } };
}
