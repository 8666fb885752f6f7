import { UnknownFeature } from '../unknown-feature.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/** What a `w:sdtPr` may have (ECMA-376 part 1, 17.5.2.38). */
const known: ReadonlySet<string> = new Set(
  'w:id w:alias w:tag w:lock w:placeholder w:temporary w:rPr w15:appearance w15:color w:text w:richText w:docPartObj w:group w:showingPlcHdr'.split(
    ' ',
  ),
);

/** The elements inside of a content control. Throws UnknownFeature for a control whose content LibreOffice may change. */
export function contentOf(control: XmlElement): readonly XmlElement[] {
  for (const child of childOf(control, 'w:sdtPr')?.children ?? [])
    if (!known.has(child.name)) throw new UnknownFeature(`${child.name} of a content control`);
  return childOf(control, 'w:sdtContent')?.children ?? [];
}
