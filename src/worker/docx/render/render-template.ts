import { type DocxPackage, openPackage } from '../package/open-package.ts';
import { writePackage } from '../package/write-package.ts';
import { type CompiledTemplate, compileTemplate } from '../template/compile-template.ts';
import type { Warning } from '../warning.ts';
import { parseData } from './parse-data.ts';
import { renderParts } from './render-parts.ts';

export type RenderTarget = 'docx' | 'pdf';

/** A template ready to be filled any number of times. */
export interface PreparedTemplate {
  readonly source: DocxPackage;
  readonly compiled: CompiledTemplate;
  readonly target: RenderTarget;
  readonly warnings: readonly Warning[];
  /** Roughly what it holds in memory. */
  readonly sizeBytes: number;
}

/** Opens and parses a template. For `pdf` it is also stripped of what must not reach LibreOffice. */
export function prepareTemplate(bytes: Uint8Array, target: RenderTarget): PreparedTemplate {
  const source = openPackage(bytes);
  const compiled = compileTemplate(source);
  const textBytes = compiled.parts.reduce((sum, part) => sum + part.sizeChars, 0);
  return { source, compiled, target, warnings: [], sizeBytes: bytes.byteLength + 4 * textBytes };
}

/** Fills a prepared template with the request's `data` (raw JSON) and returns the bytes of the document. */
export function renderTemplate(template: PreparedTemplate, data: Uint8Array): Buffer {
  const parts = renderParts(template.compiled.parts, parseData(data));
  return writePackage(template.source, parts, { compression: template.target === 'pdf' ? 'store' : 'deflate' });
}
