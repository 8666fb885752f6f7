import { scanTags } from './xml-tokens.ts';

/** `xml` with more children at the end of its root. The children are written in the default namespace `namespace`. */
export function appendChild(xml: string, namespace: string, children: readonly string[]): string {
  let root: { readonly end: number; readonly isEmpty: boolean; readonly name: string } | undefined;
  let closing = -1;
  scanTags(xml, ({ kind, start, end }) => {
    root ??= { end, isEmpty: kind === 'empty', name: /^<([^\s/>]+)/.exec(xml.slice(start, end))?.[1] ?? '' };
    if (kind === 'close') closing = start;
  });
  if (root === undefined) throw new Error('a part of the package has no root element');
  const added = root.name.includes(':')
    ? children.map((child) => child.replace(/^<[^\s/>]+/, (tag) => `${tag} xmlns="${namespace}"`)).join('')
    : children.join('');
  if (root.isEmpty) {
    const open = xml.slice(0, root.end).replace(/\s*\/>$/, '>');
    return `${open}${added}</${root.name}>${xml.slice(root.end)}`;
  }
  return `${xml.slice(0, closing)}${added}${xml.slice(closing)}`;
}
