import type { XmlTag } from '../package/xml-tokens.ts';

const aroundRuns = new Set(['r', 'hyperlink', 'ins', 'del', 'moveFrom', 'moveTo', 'smartTag', 'customXml']);
for (const name of ['sdt', 'sdtContent', 'fldSimple', 'bdo', 'dir']) aroundRuns.add(name);

/** The elements around the place where a scan of a part is. */
export class MarkupPath {
  readonly #xml: string;
  readonly #names: string[] = [];
  #rootPrefix: string | undefined;
  /** How many choices between alternatives it is in: a reader passes over all but one of each. */
  alternatives = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  /** To be called for every tag, after everything else that is done about it. */
  pass({ kind, local, start }: XmlTag): void {
    if (kind === 'empty') return;
    if (local === 'AlternateContent') this.alternatives += kind === 'open' ? 1 : -1;
    if (kind === 'close') {
      this.#names.pop();
      return;
    }
    this.#rootPrefix ??= this.#prefixAt(start);
    this.#names.push(local);
  }

  /** Whether every reader takes the tag, in a run of a paragraph, for what its name says. */
  isPlain({ start }: XmlTag): boolean {
    if (this.#names.at(-1) !== 'r' || this.#prefixAt(start) !== this.#rootPrefix) return false;
    const around = this.#names.findLastIndex((name) => !aroundRuns.has(name));
    return this.#names[around] === 'p';
  }

  #prefixAt(start: number): string {
    return /^<([^\s:/>]*):/.exec(this.#xml.slice(start, start + 64))?.[1] ?? '';
  }
}
