import { AppError } from '../../../shared/errors.ts';
import { parsePath } from '../language/parse-path.ts';
import type { TagProblem } from '../language/scan-tags.ts';
import { docxLimits } from '../limits.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { buildNodes } from './build-nodes.ts';
import { type FoldedPart, foldStatic } from './fold-static.ts';
import type { Node, PartNodes } from './nodes.ts';
import { parseParts } from './parse-parts.ts';
import { type ScannedPart, scanTemplate } from './scan-template.ts';
import { structureProblems } from './structure-problems.ts';
import { templateError } from './template-error.ts';

export interface CompiledTemplate {
  readonly scanned: readonly ScannedPart[];
  /** The parts that have tags. */
  readonly parts: readonly PartNodes[];
}

// docxtemplater needs a main part to parse any other.
const withoutContent: FoldedPart = { xml: '<w:document/>', stretches: [] };

/** Reads a template's tags and prepares it for rendering. Throws `template_invalid` with a detail for each mistake. */
export function compileTemplate(source: DocxPackage): CompiledTemplate {
  const scanned = scanTemplate(source);
  const folded = new Map<string, FoldedPart>();
  for (const part of scanned) {
    const isClean = part.problems.length === 0;
    if (isClean && (part.tags.length > 0 || part.name === source.mainPart)) folded.set(part.name, foldStatic(part.xml));
    else if (part.name === source.mainPart) folded.set(part.name, withoutContent);
  }
  refuseHeavyMarkup(folded);
  const clean = scanned.filter((part) => folded.has(part.name));
  const { pieces, sectionProperties, faults } = parseParts(
    clean.map((part) => ({ ...part, xml: folded.get(part.name)?.xml ?? '' })),
  );
  const faulty = scanned.map(({ name, label, text, tags, problems }) => {
    const own = faults.filter((fault) => fault.part === name);
    const found = structureProblems(own, tags, folded.get(name)?.xml ?? '');
    return { label, text, problems: [...problems, ...found].sort(byOffset) };
  });
  if (faulty.some((part) => part.problems.length > 0)) throw templateError(faulty);
  const parts = scanned
    .filter((part) => part.tags.length > 0)
    .map(({ name, xml }): PartNodes => {
      const { stretches = [] } = folded.get(name) ?? {};
      const nodes = buildNodes(pieces.get(name) ?? [], { parser: parsePath, stretches, sectionProperties });
      return { name, nodes, sizeChars: xml.length, repeatsDrawings: repeatsDrawings(nodes) };
    });
  if (parts.length === 0) throw noTags();
  return { scanned, parts };
}

function byOffset(a: TagProblem, b: TagProblem): number {
  return a.offset - b.offset;
}

function repeatsDrawings(nodes: readonly Node[], isInSection = false): boolean {
  return nodes.some((node) => {
    if (node.kind === 'section') return repeatsDrawings(node.body, true);
    return isInSection && node.kind === 'text' && node.xml.includes('<wp:docPr');
  });
}

function refuseHeavyMarkup(folded: ReadonlyMap<string, FoldedPart>): void {
  let elements = 0;
  for (const { xml } of folded.values()) elements += xml.split('</').length - 1;
  if (elements <= docxLimits.elementsAroundTags) return;
  const message = `The paragraphs that hold tags have more than ${docxLimits.elementsAroundTags} elements of formatting.`;
  throw new AppError('template_invalid', 'Template validation errors', { details: [{ type: 'Message', message }] });
}

function noTags(): AppError {
  const message = 'The template contains no tags.';
  const hint = 'Write a tag where data belongs, for example {name}.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}
