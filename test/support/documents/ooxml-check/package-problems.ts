import { type CheckedPackage, type CheckedPart, elements, officeRelsNs } from './read-package.ts';

/** Which relationship an element may refer to; other elements only need one that exists. */
const expectedTypes: Readonly<Record<string, string>> = {
  'a:blip': 'image',
  'v:imagedata': 'image',
  'w:hyperlink': 'hyperlink',
  'w:headerReference': 'header',
  'w:footerReference': 'footer',
};

/** Parts without a content type, relationships without a target, and references without a relationship. */
export function packageProblems(source: CheckedPackage): string[] {
  return [...untypedParts(source), ...source.parts.flatMap((part) => brokenReferences(part, source.names))];
}

function untypedParts({ names, contentTypes }: CheckedPackage): string[] {
  const extensions = new Set(
    elements(contentTypes, '*', 'Default').map((entry) => entry.getAttribute('Extension')?.toLowerCase()),
  );
  const overrides = elements(contentTypes, '*', 'Override').map((entry) => entry.getAttribute('PartName') ?? '');
  const missing = overrides.filter((name) => !names.has(name.slice(1)));
  const repeated = overrides.filter((name, i) => overrides.indexOf(name) !== i);
  const untyped = [...names].filter((name) => {
    const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase();
    return name !== '[Content_Types].xml' && !overrides.includes(`/${name}`) && !extensions.has(extension);
  });
  return [
    ...untyped.map((name) => `${name}: no content type`),
    ...missing.map((name) => `[Content_Types].xml: ${name} does not exist`),
    ...repeated.map((name) => `[Content_Types].xml: ${name} appears twice`),
  ];
}

function brokenReferences({ name, document, relationships }: CheckedPart, names: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  for (const [id, { target, isExternal }] of relationships) {
    if (!isExternal && !names.has(target)) problems.push(`${name}: relationship ${id} has no target ${target}`);
  }
  for (const element of elements(document, '*', '*')) {
    for (const entry of [...element.attributes]) {
      if (entry.namespaceURI !== officeRelsNs || entry.value === '') continue;
      const found = relationships.get(entry.value);
      const expected = expectedTypes[element.nodeName];
      if (found === undefined) problems.push(`${name}: ${element.nodeName} refers to no relationship ${entry.value}`);
      else if (expected !== undefined && found.type !== expected)
        problems.push(`${name}: ${element.nodeName} refers to a relationship of type ${found.type}`);
    }
  }
  return problems;
}
