import { scanXmlTags, tagName, type XmlTag } from '@docmill/word/xml-tokens';

/** Appends children to the root of `xml`. Their markup assumes `namespace` as the default namespace. */
export function appendChild(xml: string, namespace: string, children: readonly string[]): string {
  let root: XmlTag | undefined;
  let closing = -1;
  scanXmlTags(xml, (tag) => {
    root ??= tag;
    if (tag.kind === 'close') closing = tag.start;
  });
  if (root === undefined) throw new Error('a part of the package has no root element');
  const name = tagName(xml, root);
  const added = name.includes(':')
    ? children.map((child) => withNamespace(child, namespace)).join('')
    : children.join('');
  if (root.kind === 'empty') {
    const open = xml.slice(0, root.end - 2).trimEnd();
    return `${open}>${added}</${name}>${xml.slice(root.end)}`;
  }
  return `${xml.slice(0, closing)}${added}${xml.slice(closing)}`;
}

function withNamespace(child: string, namespace: string): string {
  const nameEnd = child.search(/[\s/>]/);
  return `${child.slice(0, nameEnd)} xmlns="${namespace}"${child.slice(nameEnd)}`;
}
