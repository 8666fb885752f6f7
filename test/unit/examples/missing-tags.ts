type Tag = { readonly kind: '' | '#' | '^' | '/'; readonly name: string };
type Scopes = readonly unknown[];

/** The tags of a template that its data does not define, checked in every element of every loop. */
export function missingTags(templateText: string, data: unknown): readonly string[] {
  const tags = [...templateText.matchAll(/\{([#^/]?)([^{}]+)\}/g)].map(
    ([, kind, name]): Tag => ({ kind: (kind ?? '') as Tag['kind'], name: name ?? '' }),
  );
  const missing = new Set<string>();
  walk(tags, [data], missing);
  return [...missing];
}

function walk(tags: readonly Tag[], scopes: Scopes, missing: Set<string>): void {
  for (let index = 0; index < tags.length; index++) {
    const tag = tags[index];
    if (tag === undefined) return;
    const value = lookUp(tag.name, scopes);
    if (value === undefined) missing.add(tag.name);
    if (tag.kind === '') continue;
    const end = closingOf(tags, index);
    const inner = tags.slice(index + 1, end);
    for (const scope of tag.kind === '^' ? [undefined] : scopesOf(value)) walk(inner, [scope, ...scopes], missing);
    index = end;
  }
}

function closingOf(tags: readonly Tag[], opener: number): number {
  const open: string[] = [];
  for (let index = opener; index < tags.length; index++) {
    const tag = tags[index];
    if (tag?.kind === '#' || tag?.kind === '^') open.push(tag.name);
    if (tag?.kind !== '/') continue;
    const expected = open.pop();
    if (expected !== tag.name) throw new Error(`{/${tag.name}} closes {#${expected}}`);
    if (open.length === 0) return index;
  }
  throw new Error(`{#${tags[opener]?.name}} is not closed`);
}

const scopesOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === false ? [] : [value];
};

function lookUp(path: string, scopes: Scopes): unknown {
  for (const scope of scopes) {
    const value = path.split('.').reduce(property, scope);
    if (value !== undefined) return value;
  }
  return undefined;
}

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
