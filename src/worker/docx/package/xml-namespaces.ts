/**
 * Which prefixes are bound where, as a SAX parser goes through an element tree. Looking one up costs the same at any
 * depth, which the chain of scopes that parsers keep does not.
 */
export interface NamespaceScope {
  /** An attribute of the element whose tag is being read. */
  attribute(name: string, value: string): void;
  /** The end of an opening tag: the first prefix that is not bound, if there is one. */
  open(elementName: string): string | undefined;
  close(): void;
  uriOf(elementName: string): string;
}

export function createNamespaceScope(): NamespaceScope {
  const bound = new Map<string, string[]>([['xml', ['http://www.w3.org/XML/1998/namespace']]]);
  const declared: { readonly depth: number; readonly prefixes: readonly string[] }[] = [];
  let depth = 0;
  let declaring: string[] = [];
  let used: string[] = [];

  const isBound = (prefix: string) => (bound.get(prefix)?.length ?? 0) > 0;
  const bind = (prefix: string, uri: string) => {
    const uris = bound.get(prefix);
    if (uris === undefined) bound.set(prefix, [uri]);
    else uris.push(uri);
    declaring.push(prefix);
  };

  return {
    attribute(name, value) {
      const colon = name.indexOf(':');
      if (colon < 0) {
        if (name === 'xmlns') bind('', value);
      } else if (colon === 5 && name.startsWith('xmlns')) bind(name.slice(6), value);
      else used.push(name.slice(0, colon));
    },
    open(elementName) {
      depth++;
      if (declaring.length > 0) {
        declared.push({ depth, prefixes: declaring });
        declaring = [];
      }
      const colon = elementName.indexOf(':');
      if (colon > 0) used.push(elementName.slice(0, colon));
      const unbound = used.find((prefix) => !isBound(prefix));
      if (used.length > 0) used = [];
      return unbound;
    },
    close() {
      if (declared.at(-1)?.depth === depth)
        for (const prefix of declared.pop()?.prefixes ?? []) bound.get(prefix)?.pop();
      depth--;
    },
    uriOf: (elementName) => bound.get(elementName.slice(0, Math.max(0, elementName.indexOf(':'))))?.at(-1) ?? '',
  };
}
