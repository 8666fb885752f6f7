import type { AppError } from '../../../shared/errors.ts';
import { parsePath } from '../language/parse-path.ts';
import type { ScannedTag, TagProblem } from '../language/scan-tags.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { buildNodes } from './build-nodes.ts';
import type { Node, PartNodes } from './nodes.ts';
import { type ParsedParts, type ParseFault, ParseFaults, parseParts } from './parse-parts.ts';
import { type ScannedPart, scanTemplate } from './scan-template.ts';
import { templateError } from './template-error.ts';

export interface CompiledTemplate {
  readonly scanned: readonly ScannedPart[];
  /** The parts that have tags. */
  readonly parts: readonly PartNodes[];
}

/** Reads a template's tags and prepares it for rendering. Throws `template_invalid` with a detail for each mistake. */
export function compileTemplate(source: DocxPackage): CompiledTemplate {
  const scanned = scanTemplate(source);
  const { pieces, sectionProperties } = parse(
    scanned.filter((part) => part.tags.length > 0 || part.name === source.mainPart),
    scanned,
  );
  const parts = scanned
    .filter((part) => part.tags.length > 0)
    .map(({ name, xml }): PartNodes => {
      const nodes = buildNodes(pieces.get(name) ?? [], parsePath, sectionProperties);
      return {
        name,
        nodes,
        sizeChars: xml.length,
        repeatsDrawings: nodes.some((node) => node.kind === 'section' && hasDrawing(node.body)),
      };
    });
  return { scanned, parts };
}

function parse(parts: readonly ScannedPart[], scanned: readonly ScannedPart[]): ParsedParts {
  try {
    return parseParts(parts);
  } catch (error) {
    throw error instanceof ParseFaults ? structureError(error, scanned) : error;
  }
}

function hasDrawing(nodes: readonly Node[]): boolean {
  return nodes.some((node) =>
    node.kind === 'text' ? node.xml.includes('<wp:docPr') : node.kind === 'section' && hasDrawing(node.body),
  );
}

const messages: Readonly<Record<string, string>> = {
  loop_position_invalid:
    'starts and ends in places that do not fit together, for example one inside and one outside a table',
  unbalanced_loop_tags: 'overlaps another section of the same table row',
  no_xml_tag_found_at_left: 'starts where it cannot be repeated',
  no_xml_tag_found_at_right: 'ends where it cannot be repeated',
};
const hint = 'put both tags of a section into one paragraph, one table row, or paragraphs of their own';

function structureError({ faults }: ParseFaults, scanned: readonly ScannedPart[]): AppError {
  const known = new Set(scanned.map((part) => part.name));
  const byPart = scanned.map((part, i) => {
    const own = faults.filter((fault) => fault.part === part.name || (i === 0 && !known.has(fault.part)));
    const tagAt = own.length === 0 ? new Map<number, ScannedTag>() : tagsByEngineOffset(part);
    return { label: part.label, text: part.text, problems: own.map((fault) => toProblem(fault, tagAt)) };
  });
  return templateError(byPart.filter((part) => part.problems.length > 0));
}

function toProblem({ id, offset: at, tag: name }: ParseFault, tagAt: ReadonlyMap<number, ScannedTag>): TagProblem {
  const found = at === undefined ? undefined : tagAt.get(at);
  const tag = found?.written ?? (name === undefined ? '' : `{#${name}}`);
  const offset = found?.offset ?? 0;
  const message = messages[id];
  if (message === undefined) {
    return { message: 'the part cannot be read', tag, offset, hint: 'open the file in Word and save it again' };
  }
  return { message: `the section ${tag} ${message}`, tag, offset, hint };
}

/** docxtemplater counts text without our marks and with `>` escaped. */
function tagsByEngineOffset({ text, tags }: ScannedPart): Map<number, ScannedTag> {
  const found = new Map<number, ScannedTag>();
  let read = 0;
  let count = 0;
  for (const tag of tags) {
    const between = text.slice(read, tag.offset);
    count += between.replace(/[\f\v]/g, '').length + 3 * (between.split('>').length - 1);
    read = tag.offset;
    found.set(count, tag);
  }
  return found;
}
