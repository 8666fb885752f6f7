import { AppError } from '../../../../shared/errors.ts';
import { liftColumns } from '../../features/columns/extract-columns.ts';
import { placePictures } from '../../features/images/arrange-images.ts';
import { pageRoom } from '../../features/images/page-room.ts';
import { dropMarkerRows } from '../../features/tables/drop-marker-rows.ts';
import { liftMerges } from '../../features/tables/extract-merges.ts';
import { parseTagText } from '../../language/expressions/parse-tag-text.ts';
import type { TagProblem } from '../../language/scan-tags.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { hasUnsteadyIds } from '../ids/has-unsteady-ids.ts';
import type { PartNodes } from '../nodes.ts';
import { mayEndWithBreak } from '../render/trailing-break.ts';
import { buildNodes } from './build-nodes.ts';
import { crossedSections } from './crossed-sections.ts';
import { type ParsablePart, parseParts } from './parse-parts.ts';
import { type ScannedPart, scanTemplate } from './scan-template.ts';
import { structureProblems } from './structure-problems.ts';
import { type FaultyPart, templateError } from './template-error.ts';
import { rootKeys } from './template-names.ts';
import { unbalancedSections } from './unbalanced-sections.ts';

export interface CompiledTemplate {
  readonly scanned: readonly ScannedPart[];
  /** The parts that have tags. */
  readonly parts: readonly PartNodes[];
  /** The keys of `data` that its tags may read. */
  readonly rootKeys: ReadonlySet<string>;
}

/** Reads a template's tags and prepares it for rendering. Throws `template_invalid` with a detail for each mistake. */
export function compileTemplate(source: DocxPackage): CompiledTemplate {
  const scanned = scanTemplate(source);
  const { pieces: parsed, sectionProperties, faults: found } = parseParts(parsable(scanned, source.mainPart));
  const stretchesOf = new Map(scanned.map(({ name, folded }) => [name, folded.stretches]));
  const lifted = [...parsed].map(([name, ofPart]) => {
    const rows = dropMarkerRows(ofPart, stretchesOf.get(name) ?? []);
    return [name, liftColumns(name, liftMerges(rows), parseTagText)] as const;
  });
  const illustrated = new Set(scanned.filter(hasPictures).map(({ name }) => name));
  const placed = lifted.map(([name, columns]) => {
    return [name, illustrated.has(name) ? placePictures(name, columns.pieces) : { ...columns, faults: [] }] as const;
  });
  const pieces = new Map(placed.map(([name, pictures]) => [name, pictures.pieces]));
  const rearranged = [...lifted, ...placed].flatMap(([, { faults }]) => faults);
  const crossed = crossedSections(parsed);
  const faults = [...found, ...rearranged, ...(crossed.length > 0 ? crossed : unbalancedSections(pieces))];
  const faulty = scanned.map((part) => {
    const misplaced = structureProblems(
      faults.filter((fault) => fault.part === part.name),
      part,
    );
    return { ...part, problems: [...part.problems, ...misplaced].sort(byOffset) };
  });
  const allFaulty = faulty.flatMap((part) => [part, ...faultyAddresses(part)]);
  if (allFaulty.some((part) => part.problems.length > 0)) throw templateError(allFaulty);
  const room = pageRoom(scanned.find(({ name }) => name === source.mainPart)?.folded.xml ?? '');
  const parts = scanned
    .filter((part) => part.hasTags)
    .map(({ name, sizeChars, folded: { stretches }, addresses: { byId }, placeholders }): PartNodes => {
      const nodes = buildNodes(pieces.get(name) ?? [], {
        parser: parseTagText,
        stretches,
        sectionProperties,
        addresses: byId,
        pictures: illustrated.has(name) ? { room, placeholders } : undefined,
      });
      return {
        name,
        nodes,
        addressIds: [...byId.keys()],
        sizeChars,
        hasUnsteadyIds: hasUnsteadyIds(nodes),
        mayEndWithBreak: name === source.mainPart && mayEndWithBreak(nodes),
      };
    });
  if (parts.length === 0) throw noTags();
  return { scanned, parts, rootKeys: rootKeys(parts) };
}

function hasPictures({ tags }: ScannedPart): boolean {
  return tags.some(({ kind }) => kind === 'picture');
}

/** The parts with tags and without mistakes, and the main part, which docxtemplater needs to parse any other. */
function parsable(scanned: readonly ScannedPart[], mainPart: string): ParsablePart[] {
  return scanned
    .filter((part) => part.name === mainPart || (part.hasTags && part.problems.length === 0))
    .map(({ name, contentType, folded, problems }) => {
      return { name, contentType, xml: problems.length === 0 ? folded.xml : '<w:document/>' };
    });
}

function faultyAddresses({ label, addresses: { faults } }: ScannedPart): FaultyPart[] {
  return faults.map(({ text, problem }) => ({ label, text, problems: [problem] }));
}

function byOffset(a: TagProblem, b: TagProblem): number {
  return a.offset - b.offset;
}

function noTags(): AppError {
  const message = 'The template contains no tags.';
  const hint = 'Write a tag where data belongs, for example {name}.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}
