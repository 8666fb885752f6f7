import { isTemplatedPart } from '../../core/compile/templated-parts.ts';
import { stylesPartOf, withStyle } from '../../core/styles/template-styles.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { attributeOf, scanTags } from '../../package/xml-tokens.ts';
import { type LinkStyles, styleLinkedRuns } from './style-linked-runs.ts';

/**
 * The parts that change so that each text of a link has a character style: one that says nothing where the template names
 * none. Without a character style LibreOffice writes no link into the PDF.
 */
export function keepLinkAnnotations(source: DocxPackage): ReadonlyMap<string, Buffer> {
  const parts = source.partNames.filter((name) => isTemplatedPart(source, name));
  const linked = parts.flatMap((name) => {
    const xml = source.readText(name) ?? '';
    return /hyperlink/i.test(xml) ? [{ name, xml }] : [];
  });
  if (linked.length === 0) return new Map();
  const styles = readStyles(source);
  if (styles === undefined) return new Map();
  const changes = new Map<string, Buffer>();
  for (const { name, xml } of linked) {
    const styled = styleLinkedRuns(xml, styles);
    if (styled !== undefined) changes.set(name, Buffer.from(styled));
  }
  if (changes.size === 0) return changes;
  const { plainId } = styles;
  const style = `<w:style w:type="character" w:customStyle="1" w:styleId="${plainId}"><w:name w:val="${plainId}"/></w:style>`;
  for (const [name, bytes] of withStyle(source, style)) changes.set(name, bytes);
  return changes;
}

function readStyles(source: DocxPackage): LinkStyles | undefined {
  const part = stylesPartOf(source);
  if (part === undefined) return undefined;
  const xml = source.readText(part) ?? '';
  const characterIds = new Set<string>();
  const taken = new Set<string>();
  scanTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    if (tag.local === 'name') taken.add(attributeOf(xml, tag, 'val') ?? '');
    if (tag.local !== 'style') return;
    const id = attributeOf(xml, tag, 'styleId') ?? '';
    taken.add(id);
    if (attributeOf(xml, tag, 'type') === 'character') characterIds.add(id);
  });
  let plainId = 'PlainLink';
  for (let number = 2; taken.has(plainId); number++) plainId = `PlainLink${number}`;
  return { characterIds, plainId };
}
