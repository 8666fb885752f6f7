import { readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';

/** The content types of a package (ECMA-376 part 2, 7.2.3.2): by part name, then by extension, ignoring case. */
export interface ContentTypes {
  typeOf(partName: string): string | undefined;
  /** Names (lower case, no leading slash) of parts with an explicit type. */
  readonly overrides: ReadonlyMap<string, string>;
}

export function readContentTypes(xml: string): ContentTypes {
  const defaults = new Map<string, string>();
  const overrides = new Map<string, string>();
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close' || (tag.local !== 'Default' && tag.local !== 'Override')) return;
    const values = new Map(readAttributes(xml, tag).map(({ name, value }) => [name, value]));
    const type = values.get('ContentType')?.trim().toLowerCase();
    const key = values.get(tag.local === 'Default' ? 'Extension' : 'PartName')?.toLowerCase();
    if (type === undefined || key === undefined) return;
    if (tag.local === 'Default') defaults.set(key, type);
    else overrides.set(decodePartName(key), type);
  });
  return {
    overrides,
    typeOf(partName) {
      const key = partName.toLowerCase();
      return overrides.get(key) ?? defaults.get(key.slice(key.lastIndexOf('.') + 1));
    },
  };
}

function decodePartName(name: string): string {
  const path = name.replace(/^\/+/, '');
  try {
    return path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}
