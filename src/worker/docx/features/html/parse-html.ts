import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';
import { HtmlProblem, htmlLimits } from './html-limits.ts';

export type DomNode = DefaultTreeAdapterTypes.ChildNode;
export type DomElement = DefaultTreeAdapterTypes.Element;

/** Parses HTML as a browser does (WHATWG HTML, 13.2); throws HtmlProblem as soon as it is too large or too deep. */
export function parseHtml(html: string): readonly DomNode[] {
  let elements = 0;
  let depth = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement: (...args) => {
      if (++elements > htmlLimits.elements)
        throw new HtmlProblem(`holds more than ${htmlLimits.elements} HTML elements`);
      return defaultTreeAdapter.createElement(...args);
    },
    onItemPush: () => {
      if (++depth > htmlLimits.depth) throw new HtmlProblem(tooDeep);
    },
    onItemPop: () => {
      depth--;
    },
  };
  return parseFragment(html, { treeAdapter }).childNodes;
}

const tooDeep = `nests HTML elements deeper than ${htmlLimits.depth} levels`;

export function isElement(node: DomNode): node is DomElement {
  return 'tagName' in node;
}

export function attribute(element: DomElement, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}
