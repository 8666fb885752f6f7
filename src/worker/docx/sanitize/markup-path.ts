import { tagName, type XmlTag } from '@docmill/word/xml-tokens';

const aroundRuns = new Set(['r', 'hyperlink', 'ins', 'del', 'moveFrom', 'moveTo', 'smartTag', 'customXml']);
for (const name of ['sdt', 'sdtContent', 'fldSimple', 'bdo', 'dir']) aroundRuns.add(name);

/** The elements around the current position of a scan. */
export class MarkupPath {
  readonly #xml: string;
  readonly #names: string[] = [];
  #rootPrefix: string | undefined;
  /** Number of enclosing alternatives, of which a reader uses one branch and skips the rest. */
  alternatives = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  /** Call it for every tag, after handling the tag. */
  advance(tag: XmlTag): void {
    const { kind, local } = tag;
    if (kind === 'empty') return;
    if (local === 'AlternateContent') this.alternatives += kind === 'open' ? 1 : -1;
    if (kind === 'close') {
      this.#names.pop();
      return;
    }
    this.#rootPrefix ??= this.#prefixOf(tag);
    this.#names.push(local);
  }

  /** Whether all readers interpret the tag by its name because it lies in a run of a paragraph. */
  isPlain(tag: XmlTag): boolean {
    if (this.#names.at(-1) !== 'r' || this.#prefixOf(tag) !== this.#rootPrefix) return false;
    const around = this.#names.findLastIndex((name) => !aroundRuns.has(name));
    return this.#names[around] === 'p';
  }

  #prefixOf(tag: XmlTag): string {
    const name = tagName(this.#xml, tag);
    return name.slice(0, Math.max(0, name.indexOf(':')));
  }
}
