import { UnknownFeature } from '../unknown-feature.ts';
import type { Attempt } from './attempt.ts';
import { type CustomData, firstTextAt } from './custom-data.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/**
 * The children that a `w:sdtPr` may have (ECMA-376 part 1, 17.5.2.38). LibreOffice prints the content of every kind of
 * control unchanged, including a placeholder.
 */
const known: ReadonlySet<string> = new Set(
  (
    'w:id w:alias w:tag w:lock w:placeholder w:temporary w:rPr w15:appearance w15:color w:group w:showingPlcHdr w:text ' +
    'w:richText w:docPartObj w:docPartList w:date w:dropDownList w:comboBox w:picture w:citation w:bibliography w:equation ' +
    'w14:checkbox w15:repeatingSection w15:repeatingSectionItem'
  ).split(' '),
);

const choices: ReadonlySet<string> = new Set(['w:comboBox', 'w:dropDownList']);

/** The elements inside a content control. Throws UnknownFeature for a control whose content LibreOffice may change. */
export function contentOf(control: XmlElement, data: CustomData): readonly XmlElement[] {
  const properties = childOf(control, 'w:sdtPr')?.children ?? [];
  const content = childOf(control, 'w:sdtContent');
  for (const child of properties) {
    const isBinding = child.name === 'w:dataBinding';
    if (!known.has(child.name) && !isBinding) throw new UnknownFeature(`${child.name} of a content control`);
    if (isBinding) requireSameText(child, content, data);
    // LibreOffice drops the formats of its runs.
    if (choices.has(child.name) && content?.children.some(({ name }) => name !== 'w:r') === true)
      throw new UnknownFeature(`${child.name} around paragraphs`);
  }
  // LibreOffice may extend the link to the text before it.
  if (content !== undefined && hasInside(content, 'w:hyperlink'))
    throw new UnknownFeature('a link in a content control');
  return content?.children ?? [];
}

/** Like `contentOf`, but an inspection continues inside an unsupported control. */
export function shownBy(
  control: XmlElement,
  { data, attempt }: { readonly data: CustomData; readonly attempt: Attempt },
): readonly XmlElement[] {
  return attempt(
    () => contentOf(control, data),
    () => childOf(control, 'w:sdtContent')?.children ?? [],
  );
}

/**
 * LibreOffice shows the data instead of the content (17.5.2.6). Requires that both are the same text in a single run.
 */
function requireSameText(binding: XmlElement, content: XmlElement | undefined, data: CustomData): void {
  // LibreOffice replaces the date of a nested control.
  if (content !== undefined && hasInside(content, 'w:sdt'))
    throw new UnknownFeature('a content control in one that shows data');
  const [id = '', path = ''] = ['w:storeItemID', 'w:xpath'].map((name) => binding.attributes.get(name));
  const root = data.rootOf(id);
  const text = root && firstTextAt(root, path, binding.attributes.get('w:prefixMappings') ?? '');
  if (text === undefined || text === '') return;
  const texts = content === undefined ? [] : textsOf(content);
  if (texts.length !== 1 || texts[0] !== text) throw new UnknownFeature('a content control that shows other data');
}

function hasInside({ name, children }: XmlElement, sought: string): boolean {
  return name === sought || children.some((child) => hasInside(child, sought));
}

function textsOf({ name, text, children }: XmlElement): string[] {
  return name === 'w:t' ? [text] : children.flatMap(textsOf);
}
