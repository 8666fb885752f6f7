const holder = /<(\/?)w:(?:hyperlink|ins|del|moveFrom|moveTo|fldSimple|ruby)\b[^>]*?(\/?)>/g;

/** Follows the XML of a part and knows whether a link may stand at this place: not in another link, nor in a revision. */
export class LinkGuard {
  #depth = 0;

  read(xml: string): void {
    if (!xml.includes('<')) return;
    for (const [, end, empty] of xml.matchAll(holder)) {
      if (end === '/') this.#depth--;
      else if (empty !== '/') this.#depth++;
    }
  }

  get mayLink(): boolean {
    return this.#depth <= 0;
  }
}
