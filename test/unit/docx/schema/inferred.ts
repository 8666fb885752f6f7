import { defaultSyntax } from '../../../../src/shared/template-syntax.ts';
import { compileTemplate } from '../../../../src/worker/docx/core/compile/compile-template.ts';
import { allFeatures } from '../../../../src/worker/docx/features.ts';
import { type InferredSchema, inferSchema } from '../../../../src/worker/docx/inspect/schema/infer-schema.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';

/** The schema of a template. A string stands for a template with this text as its only paragraph. */
export function inferred(template: DocxInput | string): InferredSchema {
  const input = typeof template === 'string' ? { body: paragraph(template) } : template;
  return inferSchema(compileTemplate(openPackage(buildDocx(input)), allFeatures, { syntax: defaultSyntax }));
}
