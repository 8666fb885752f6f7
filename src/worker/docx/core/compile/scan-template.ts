import { AppError } from '../../../../shared/errors.ts';
import { checkSections } from '../../language/check-sections.ts';
import { type ScannedTag, scanTags, type TagProblem } from '../../language/scan-tags.ts';
import { docxLimits } from '../../limits.ts';
import type { PartCompiler, PartScan, TemplateInput } from '../feature.ts';
import type { Warning } from '../warning.ts';
import { type CollapsedPart, collapseStatic } from './collapse-static.ts';
import { extractText } from './extract-text.ts';
import type { FaultyPart } from './template-error.ts';
import { type TemplatedPart, templatedParts } from './templated-parts.ts';

export interface ScannedPart extends Pick<TemplatedPart, 'texts' | 'escapesInPaths'> {
  readonly name: string;
  readonly contentType: string;
  /** The name by which authors know the part: `body`, `header 1`, `footnotes`. */
  readonly label: string;
  readonly sizeChars: number;
  readonly isEmbedded: boolean;
  readonly collapsed: CollapsedPart;
  /** The text around the tags; offsets of tags and problems refer to it. */
  readonly text: string;
  readonly tags: readonly ScannedTag[];
  readonly problems: readonly TagProblem[];
  /** Mistakes outside the part's own text, such as in link addresses. */
  readonly faultyTexts: readonly FaultyPart[];
  /** The compilers of the features that take part, in feature order. */
  readonly compilers: readonly PartCompiler[];
  /** Problems that features found in this part. */
  readonly warnings: readonly Warning[];
  /** Ids of relationships whose targets features fill. */
  readonly filledRelationships: ReadonlySet<string>;
  /** Whether the part has tags, in its text or elsewhere. */
  readonly hasTags: boolean;
}

/** The remaining limits, shared by all parts. */
interface Allowance {
  tags: number;
  elements: number;
  chars: number;
}

/** Finds every tag of a template and every mistake in it. Throws `template_invalid` only when a limit is exceeded. */
export function scanTemplate(template: TemplateInput): readonly ScannedPart[] {
  const allowance = {
    tags: docxLimits.tags,
    elements: docxLimits.elementsAroundTags,
    chars: docxLimits.charsAroundTags,
  };
  return templatedParts(template.source, template.syntax).map((part) => scanPart(template, part, allowance));
}

function scanPart(template: TemplateInput, part: TemplatedPart, allowance: Allowance): ScannedPart {
  const { source, features, syntax } = template;
  const { name, contentType, label, isEmbedded, texts, escapesInPaths } = part;
  const compilers: PartCompiler[] = [];
  let { xml } = part;
  for (const { openPart } of features.all) {
    const compiler = openPart?.({ template, source, name, label, xml, features });
    if (compiler !== undefined) compilers.push(compiler);
    xml = compiler?.xml ?? xml;
  }
  const scans = compilers.flatMap(({ scan }) => scan?.(xml) ?? []);
  const collapsed = collapse(xml, scans, allowance);
  const text = extractText(collapsed.xml);
  const { tags, problems, isCut } = scanTags(text, allowance.tags, {
    syntaxes: features.syntaxes,
    isStrict: syntax.unlikelyTags === 'text',
  });
  if (isCut) throw tooMuch('The template contains', docxLimits.tags, 'tags');
  allowance.tags -= tags.length;
  const elsewhere = scans.flatMap((scan) => scan.elsewhere ?? []);
  return {
    name,
    contentType,
    label,
    isEmbedded,
    texts,
    escapesInPaths,
    sizeChars: xml.length,
    collapsed,
    text,
    tags,
    compilers,
    problems: [...problems, ...checkSections(tags), ...scans.flatMap((scan) => scan.problems ?? [])],
    faultyTexts: elsewhere.map(({ text: other, problem, place }) => {
      return { label: place === undefined ? label : `${label}, ${place}`, text: other, problems: [problem] };
    }),
    warnings: scans.flatMap((scan) => (scan.warnings ?? []).map((warning) => ({ ...warning, part: label }))),
    filledRelationships: new Set(scans.flatMap(({ filledRelationships }) => [...(filledRelationships ?? [])])),
    hasTags: tags.length > 0 || scans.some((scan) => scan.hasTags === true),
  };
}

function collapse(xml: string, scans: readonly PartScan[], allowance: Allowance): CollapsedPart {
  const keepsControlsWith = new Set(scans.flatMap((scan) => scan.keepsControlsWith ?? []));
  const collapsed = collapseStatic(xml, { keepsCells: scans.some((scan) => scan.keepsCells), keepsControlsWith });
  allowance.chars -= collapsed.xml.length;
  if (allowance.chars < 0) {
    const subject = 'The paragraphs that hold tags are too long: they have';
    throw tooMuch(subject, docxLimits.charsAroundTags, 'characters of XML');
  }
  allowance.elements -= collapsed.xml.split('</').length - 1;
  if (allowance.elements < 0)
    throw tooMuch('The paragraphs that hold tags have', docxLimits.elementsAroundTags, 'elements of formatting');
  return collapsed;
}

function tooMuch(subject: string, limit: number, unit: string): AppError {
  const message = `${subject} more than ${limit} ${unit}.`;
  const hint = 'Repeat parts of the document with a section, for example {#items}…{/items}.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}
