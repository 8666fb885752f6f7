import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { type Dictionary, parseDictionary } from '../../language/dictionary.ts';
import { parseTagText } from '../../language/expressions/parse-tag-text.ts';
import type { TagProblem } from '../../language/scan-tags.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import type { Features, ScannedText, TagFault } from '../feature.ts';
import { mayRepeatIds } from '../ids/id-marks.ts';
import type { Inclusion } from '../inclusion.ts';
import type { Node, PartNodes } from '../nodes.ts';
import { splitNotes } from '../notes/split-notes.ts';
import type { ParsedPiece } from '../parsed-piece.ts';
import { mayEndWithBreak } from '../render/trailing-break.ts';
import { buildNodes } from './build-nodes.ts';
import { nameIncluded } from './included-problems.ts';
import { invalidSections } from './invalid-sections.ts';
import { noTags } from './no-tags.ts';
import { hasCommands, migrateCommands } from './other-tags.ts';
import { type ParsablePart, parseParts } from './parse-parts.ts';
import { type ScannedPart, scanTemplate } from './scan-template.ts';
import { structureProblems } from './structure-problems.ts';
import { type FaultyPart, templateError } from './template-error.ts';
import { rootKeys } from './template-names.ts';

export interface CompiledTemplate {
  readonly scanned: readonly ScannedPart[];
  /** The parts that have tags. */
  readonly parts: readonly PartNodes[];
  /** The keys of `data` that its tags may read. */
  readonly rootKeys: ReadonlySet<string>;
  /** The words for the formatter `translate`: those of the account, then those of the template, which take precedence. */
  readonly dictionaries: readonly Dictionary[];
}

/** How a template is read. */
interface CompileOptions {
  readonly syntax: TemplateSyntax;
  /** The uploaded package if `source` was sanitized. Default: `source`. */
  readonly original?: DocxPackage | undefined;
  /** The content of included templates. Default: none. */
  readonly inclusions?: readonly Inclusion[] | undefined;
  /** The dictionary of the account as JSON; see `parseDictionary`. Default: none. */
  readonly accountWords?: Uint8Array | undefined;
}

/** Reads a template's tags and prepares it for rendering. Throws `template_invalid` with a detail for each mistake. */
export function compileTemplate(
  source: DocxPackage,
  features: Features,
  { syntax, original = source, inclusions = [], accountWords }: CompileOptions,
): CompiledTemplate {
  const scanned = scanTemplate({ source, original, features, syntax, inclusions, memory: new Map() });
  const { pieces: parsed, faults } = parseParts(parsable(scanned, source.mainPart));
  const mainXml = scanned.find(({ name }) => name === source.mainPart)?.collapsed.xml ?? '';
  const arranged = new Map<string, readonly ParsedPiece[]>();
  const tagFaults = new Map<string, TagFault[]>();
  for (const part of scanned) {
    const pieces = parsed.get(part.name);
    if (pieces === undefined) continue;
    const found: TagFault[] = [];
    arranged.set(part.name, arrange(pieces, part, scannedText(part, mainXml), found));
    tagFaults.set(part.name, found);
  }
  const sectionFaults = [...faults, ...invalidSections(parsed, arranged)];
  const faulty = scanned.map((part) => {
    const ofPart = sectionFaults.filter((fault) => fault.part === part.name);
    const misplaced = structureProblems(ofPart, tagFaults.get(part.name) ?? [], part);
    return { ...part, problems: [...part.problems, ...misplaced].sort(byOffset) };
  });
  const allFaulty = faulty.flatMap((part) => [...nameIncluded(part, inclusions), ...part.faultyTexts]);
  if (allFaulty.some((part) => part.problems.length > 0))
    throw templateError([...scanned.flatMap(foreignCommands), ...allFaulty], syntax);
  const compiled = scanned
    .filter((part) => part.hasTags)
    .flatMap((part): readonly PartNodes[] => {
      const text = scannedText(part, mainXml);
      const nodes = buildNodes(arranged.get(part.name) ?? [], { ...text, part, features, syntax });
      const filled = {
        name: part.name,
        nodes,
        isEmbedded: part.isEmbedded,
        finish: part.compilers.flatMap(({ finish }) => finish ?? []),
        sizeChars: part.sizeChars,
        mayRepeatIds: mayRepeatIds(nodes),
        mayEmptySections: part.collapsed.xml.includes('<?section '),
        mayEndWithBreak: part.name === source.mainPart && mayEndWithBreak(nodes),
      };
      return splitNotes(filled, part.contentType, () => source.readText(source.mainPart) ?? '');
    });
  const parts = withEmbedded(compiled);
  if (parts.length === 0) throw noTags(scanned, syntax);
  return { scanned, parts, rootKeys: rootKeys(parts), dictionaries: dictionariesOf(scanned, accountWords) };
}

/** The compiled parts. Those that a node fills wherever it stands are marked as embedded. */
function withEmbedded(parts: readonly PartNodes[]): readonly PartNodes[] {
  const shown = new Set<string>();
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'section') visit(node.body);
      else if (node.kind === 'feature' && node.embeds !== undefined) shown.add(node.embeds);
    }
  };
  for (const { nodes } of parts) visit(nodes);
  return parts.map((part) => (shown.has(part.name) ? { ...part, isEmbedded: true } : part));
}

/** Reports commands of docx-templates, which explain the mistakes in the braces inside them. */
function foreignCommands(part: ScannedPart): FaultyPart[] {
  if (!hasCommands(part)) return [];
  const { label, text } = part;
  const offset = Math.max(0, text.indexOf('+++'));
  const message = 'there are commands of docx-templates';
  return [{ label, text, problems: [{ message, tag: '+++', offset, hint: migrateCommands }] }];
}

function scannedText({ tags, collapsed: { stretches } }: ScannedPart, mainXml: string): ScannedText {
  return { tags, stretches, parser: parseTagText, mainXml };
}

function arrange(
  parsed: readonly ParsedPiece[],
  { compilers }: ScannedPart,
  text: ScannedText,
  faults: TagFault[],
): readonly ParsedPiece[] {
  const part = { ...text, report: (fault: TagFault) => faults.push(fault) };
  return compilers.reduce((pieces, compiler) => compiler.arrange?.(pieces, part) ?? pieces, parsed);
}

/** The parts that have tags and no mistakes, plus the main part, without which docxtemplater parses no other. */
function parsable(scanned: readonly ScannedPart[], mainPart: string): ParsablePart[] {
  return scanned
    .filter((part) => part.name === mainPart || (part.hasTags && part.problems.length === 0))
    .map(({ name, contentType, collapsed, problems }) => {
      return { name, contentType, xml: problems.length === 0 ? collapsed.xml : '<w:document/>' };
    });
}

/** The account's words are read only for a template that uses words. */
function dictionariesOf(scanned: readonly ScannedPart[], accountWords: Uint8Array | undefined): readonly Dictionary[] {
  const own = mergedWords(scanned);
  const isUsed = scanned.some(({ tags }) => tags.some(({ text }) => text.includes('translate')));
  return isUsed && accountWords !== undefined ? [parseDictionary(accountWords), own] : [own];
}

function mergedWords(scanned: readonly ScannedPart[]): Dictionary {
  const merged = new Map<string, Map<string, string>>();
  const compilers = scanned.flatMap((part) => part.compilers);
  for (const [locale, words] of compilers.flatMap((compiler) => [...(compiler.words?.() ?? [])]))
    merged.set(locale, new Map([...(merged.get(locale) ?? []), ...words]));
  return merged;
}

function byOffset(a: TagProblem, b: TagProblem): number {
  return a.offset - b.offset;
}
