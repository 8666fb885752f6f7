import { LRUCache } from 'lru-cache';
import { type ElementStore, propertyGroups } from './parse-element.ts';
import type { XmlElement } from './xml-element.ts';

interface Kept {
  /** The namespaces of its part. An element of another part with the same text replaces it. */
  readonly namespaces: string;
  readonly element: XmlElement;
}

/**
 * Paragraphs and property groups of earlier documents, by their text. Most of a template's are the same in each
 * document, so results derived from them can be reused.
 */
const mostElements = 5_000;
const mostCharacters = 400_000;
const kept = new LRUCache<string, Kept>({
  max: mostElements,
  maxSize: mostCharacters,
  sizeCalculation: (_, text) => text.length,
});

/** Texts seen once: those with data never occur again. */
const seen = new LRUCache<string, true>({
  max: 20_000,
  maxSize: 1_000_000,
  sizeCalculation: (_, text) => text.length,
});

const paragraphs = new WeakSet<XmlElement>();

/** For the bodies of documents. */
export const keptElements: ElementStore = {
  names: new Set(['w:p', ...propertyGroups]),
  get(text, namespaces) {
    const found = kept.get(text);
    return found?.namespaces === namespaces ? found.element : undefined;
  },
  set(text, namespaces, element) {
    if (seen.get(text) === undefined) {
      seen.set(text, true);
      return;
    }
    kept.set(text, { namespaces, element });
    if (element.name === 'w:p') paragraphs.add(element);
  },
};

/** Whether a paragraph may occur again in other documents. */
export function isKeptParagraph(element: XmlElement): boolean {
  return paragraphs.has(element);
}
