import { readRelationships } from '@docmill/word/relationships';
import { expect } from 'vitest';
import { type DocxPackage, openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import { writePackage } from '../../../../src/worker/docx/package/write-package.ts';
import { sanitizePackage } from '../../../../src/worker/docx/sanitize/sanitize-package.ts';
import { buildDocx, type DocxInput, type DocxRelationship } from '../../../support/documents/docx-builder.ts';

export const host = 'http://127.0.0.1:9/canary';
export const secret = 'file:///etc/canary';

export interface Cleaned {
  readonly docx: DocxPackage;
  readonly codes: readonly string[];
  readonly body: string;
}

/** Sanitizes, writes and reopens a file. The result must be valid, clean and free of external references. */
export function clean(input: DocxInput): Cleaned {
  const source = openPackage(buildDocx(input));
  validatePackage(source);
  const { changes, warnings } = sanitizePackage(source);
  const docx = openPackage(writePackage(source, changes, { compression: 'store' }));
  validatePackage(docx);
  expect(sanitizePackage(docx)).toEqual({ changes: new Map(), warnings: [] });
  for (const name of docx.partNames) {
    expect(docx.read(name)?.toString('latin1').replaceAll('\0', ''), name).not.toContain('canary');
    if (!name.endsWith('.rels')) continue;
    for (const { kind, isExternal } of readRelationships(docx.readText(name) ?? ''))
      if (isExternal) expect(kind).toBe('hyperlink');
  }
  return { docx, codes: warnings.map(({ code }) => code).sort(), body: docx.readText('word/document.xml') ?? '' };
}

export function external(type: string, target = host): DocxRelationship[] {
  return [{ id: 'rX', type, target, external: true }];
}

export function picture(attributes: string): string {
  return `<w:p><w:r><w:drawing><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip ${attributes}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></w:drawing></w:r></w:p>`;
}
