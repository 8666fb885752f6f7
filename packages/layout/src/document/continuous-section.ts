import { UnknownFeature } from '../unknown-feature.ts';
import { childOf, hasSameElements, type XmlElement } from './xml-element.ts';

/** Whether a section begins on the page of the previous one (ECMA-376 part 1, 17.6.22). */
export function isContinuous(section: XmlElement): boolean {
  return childOf(section, 'w:type')?.attributes.get('w:val') === 'continuous';
}

/**
 * Throws UnknownFeature unless a continuous section has the pages of the previous one, whose blocks its own then follow
 * as if they were of one section.
 */
export function requireSamePages(section: XmlElement, previous: XmlElement): void {
  if (!hasSameElements(pagesOf(section), pagesOf(previous)) || section.children.some(isStory))
    throw new UnknownFeature('a continuous section with pages of its own');
}

const isStory = ({ name }: XmlElement): boolean => name === 'w:headerReference' || name === 'w:footerReference';

const pagesOf = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter((child) => child.name !== 'w:type' && !isStory(child));
