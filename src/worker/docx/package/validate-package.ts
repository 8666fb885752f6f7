import { wordNamespaces } from '@docmill/word/namespaces';
import { AppError, type ErrorDetail } from '../../../shared/errors.ts';
import { type PackageLimits, packageLimits } from '../limits.ts';
import { checkXml, type XmlBudget } from './check-xml.ts';
import type { DocxPackage } from './open-package.ts';
import { isHtmlPart, isSvgPart, isXmlPart } from './part-kind.ts';
import { refusal } from './refusal.ts';
import { isPlainSvgDoctype, svgContent } from './svg-content.ts';
import { checkSvgExpansion } from './svg-expansion.ts';
import { decodeXml } from './xml-text.ts';

/** The only parts that may have undeclared prefixes, because Word opens documents with such custom properties. */
const customPropertiesType = 'application/vnd.openxmlformats-officedocument.custom-properties+xml';
const documentNamespaces: readonly string[] = Object.values(wordNamespaces);

/**
 * Reads every part of an uploaded package once. Each part must match its checksum. XML, and SVG under any name, must be
 * well-formed, without DTD and within the limits. Throws `template_invalid` with one detail per faulty part.
 */
export function validatePackage(docx: DocxPackage, limits: PackageLimits = packageLimits): void {
  const budget: XmlBudget = { elements: limits.maxXmlElements, attributes: limits.maxXmlAttributes };
  const problems: ErrorDetail[] = [];
  for (const name of docx.partNames) {
    try {
      validatePart(docx, name, limits, budget);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(...(error.details ?? []));
    }
    if (problems.length >= limits.maxProblems || budget.elements < 0 || budget.attributes < 0) break;
  }
  if (problems.length > 0) throw new AppError('template_invalid', 'Template validation errors', { details: problems });
}

function validatePart(docx: DocxPackage, name: string, limits: PackageLimits, budget: XmlBudget): void {
  const content = docx.read(name) ?? Buffer.alloc(0);
  if (isHtmlPart(docx, name)) return;
  if (isXmlPart(docx, name)) {
    validateXml(docx, name, content, limits, budget);
    return;
  }
  const svg = svgContent({ name, head: content.subarray(0, 64), readAll: () => content }, limits.maxPartBytes);
  if (svg === undefined) return;
  checkXml(svg, name, { limits, budget, allowsDoctype: isPlainSvgDoctype });
  checkSvgExpansion(decodeXml(svg, name), name);
}

function validateXml(docx: DocxPackage, name: string, content: Buffer, limits: PackageLimits, budget: XmlBudget): void {
  // Empty and broken data stores, which no reader opens, are common in real files.
  if (name !== docx.mainPart && content.length === 0) return;
  const allowsDoctype = isSvgPart(docx, name) ? isPlainSvgDoctype : undefined;
  const allowsUndeclared = docx.contentType(name) === customPropertiesType;
  const root = checkXml(content, name, { limits, budget, allowsDoctype, allowsUndeclared });
  if (root.local === 'svg') checkSvgExpansion(decodeXml(content, name), name);
  if (name === docx.mainPart && !(root.local === 'document' && documentNamespaces.includes(root.namespace))) {
    throw refusal('The main part is not a Word document. Open the file in Word and save it as .docx.', name);
  }
}
