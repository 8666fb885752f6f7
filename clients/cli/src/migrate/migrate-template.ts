import { rewriteCarbone } from './carbone/rewrite-carbone.ts';
import { rewriteDocxTemplates } from './docx-templates/rewrite-docx-templates.ts';
import { rewriteDocxtemplater } from './docxtemplater/rewrite-docxtemplater.ts';
import { rewriteEasyTemplateX } from './easy-template-x/rewrite-easy-template-x.ts';
import { PartRewriter } from './part-rewriter.ts';
import type { EngineName, MigrationReport } from './report.ts';
import type { RewritePart } from './rewrite-part.ts';
import type { Delimiters } from './tags.ts';
import { reportWordFields } from './word/report-word-fields.ts';
import { openWordFile } from './word-file/open-word-file.ts';

const engines: Readonly<Record<EngineName, RewritePart>> = {
  docxtemplater: rewriteDocxtemplater,
  carbone: rewriteCarbone,
  'docx-templates': rewriteDocxTemplates,
  'easy-template-x': rewriteEasyTemplateX,
  word: reportWordFields,
};

export interface MigratedTemplate {
  readonly file: Uint8Array;
  readonly report: MigrationReport;
}

/**
 * Rewrites a template of another engine in Docmill's language. Tags without an equivalent stay unchanged and are
 * reported. Throws UnusableFile if the bytes are not a Word file.
 */
export function migrateTemplate(bytes: Uint8Array, engine: EngineName, delimiters?: Delimiters): MigratedTemplate {
  const file = openWordFile(bytes);
  const data = new Set<string>();
  const aliases = new Map<string, string>();
  const results = file.parts.map((part) => {
    const rewriter = new PartRewriter(part.label);
    engines[engine](part, rewriter, { delimiters, data, aliases });
    return rewriter.finish();
  });
  const sum = (of: 'unchanged' | 'rewritten' | 'left'): number => results.reduce((total, one) => total + one[of], 0);
  const report = {
    engine,
    unchanged: sum('unchanged'),
    rewritten: sum('rewritten'),
    left: sum('left'),
    findings: results.flatMap(({ findings }) => findings),
    data: [...data],
  };
  return { file: file.save(), report };
}
