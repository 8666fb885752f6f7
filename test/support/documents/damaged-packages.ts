import { readRelationships, relationshipsPartOf } from '@docmill/word/relationships';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildZip } from './docx-builder.ts';

type Parts = Map<string, Buffer>;

/** One damaged form of a file. */
export interface Damage {
  /** What was done, and where. */
  readonly label: string;
  readonly build: () => Buffer;
}

const types = '[Content_Types].xml';

/**
 * Returns many damaged forms of a .docx: each part is removed, renamed, emptied or truncated; each
 * relationship is removed, left dangling or pointed at another part; each content type is removed or replaced; each id
 * is changed.
 */
export function damagesOf(file: Uint8Array): readonly Damage[] {
  const source = openPackage(file);
  const parts: Parts = new Map(source.partNames.map((name) => [name, source.read(name) ?? Buffer.alloc(0)]));
  const names = [...parts.keys()].filter(
    (name) => name !== types && name !== '_rels/.rels' && name !== source.mainPart,
  );
  const damages: Damage[] = [];
  const add = (label: string, change: (copy: Parts) => void) =>
    damages.push({
      label,
      build: () => {
        const copy = new Map(parts);
        change(copy);
        return buildZip(copy);
      },
    });
  for (const name of names) damagePart(name, add);
  for (const name of parts.keys()) {
    if (name.endsWith('.rels')) damageRelationships(name, parts, names, add);
    else if (name.endsWith('.xml') && name !== types) damageIds(name, parts, add);
  }
  damageTypes(parts, add);
  return damages;
}

type Add = (label: string, change: (copy: Parts) => void) => void;

function damagePart(name: string, add: Add): void {
  add(`remove ${name}`, (parts) => parts.delete(name));
  add(`empty ${name}`, (parts) => parts.set(name, Buffer.alloc(0)));
  add(`blank ${name}`, (parts) => parts.set(name, Buffer.from('<x/>')));
  add(`truncate ${name}`, (parts) => parts.set(name, half(parts.get(name))));
  if (name.endsWith('.rels')) return;
  const disguise = `word/media/disguised-${name.replace(/.*\//, '')}.png`;
  add(`disguise ${name}`, (parts) => {
    const content = parts.get(name) ?? Buffer.alloc(0);
    parts.delete(name);
    parts.set(disguise, content);
    const own = parts.get(relationshipsPartOf(name));
    if (own !== undefined) parts.set(relationshipsPartOf(disguise), own);
    retargetAll(parts, name, `/${disguise}`);
    addPngType(parts);
  });
}

function half(content: Buffer = Buffer.alloc(0)): Buffer {
  return content.subarray(0, Math.floor(content.length / 2));
}

function addPngType(parts: Parts): void {
  const xml = parts.get(types)?.toString() ?? '';
  if (/Extension="png"/i.test(xml)) return;
  parts.set(
    types,
    Buffer.from(xml.replace(/<\/([\w:]*)Types>/, '<$1Default Extension="png" ContentType="image/png"/></$1Types>')),
  );
}

/** Points every relationship with the target's last name at `to`. */
function retargetAll(parts: Parts, from: string, to: string): void {
  const last = from.replace(/.*\//, '');
  for (const [name, content] of parts) {
    if (!name.endsWith('.rels')) continue;
    const xml = content.toString();
    const changed = xml.replace(/Target="([^"]*)"/g, (whole, target: string) =>
      target.replace(/.*\//, '') === last ? `Target="${to}"` : whole,
    );
    if (changed !== xml) parts.set(name, Buffer.from(changed));
  }
}

function damageRelationships(rels: string, parts: Parts, names: readonly string[], add: Add): void {
  const xml = parts.get(rels)?.toString() ?? '';
  const edit = (label: string, change: (text: string) => string) =>
    add(`${label} in ${rels}`, (copy) => copy.set(rels, Buffer.from(change(xml))));
  edit('prefixed relationships', (text) =>
    text.replace(/<(\/?)(Relationships?)\b/g, '<$1pr:$2').replace(/xmlns="/, 'xmlns:pr="'),
  );
  edit('relationships in another namespace', (text) =>
    text.replace('package/2006/relationships', 'package/2007/other'),
  );
  for (const [index, { id, kind, target, start, end }] of readRelationships(xml).entries()) {
    if (rels === '_rels/.rels' && kind === 'officedocument') continue;
    const one = (label: string, change: (text: string) => string) =>
      edit(
        `${label} ${id} (${kind})`,
        (text) => text.slice(0, start) + change(text.slice(start, end)) + text.slice(end),
      );
    const aim = (to: string) => (text: string) => text.replace(/Target="[^"]*"/, `Target="${to}"`);
    const part = names[(index * 7 + 3) % names.length] ?? '';
    one('remove', () => '');
    one('twice', (text) => text + text);
    one('dangling', aim('nowhere/missing.xml'));
    one('dangling picture', aim('media/missing.png'));
    one('empty target', aim(''));
    one('self', aim(`/${rels.replace(/_rels\/|\.rels$/g, '')}`));
    one('folder', aim('../'));
    one(`to /${part}`, aim(`/${part}`));
    one('to styles', aim('/word/styles.xml'));
    one('to main', aim('/word/document.xml'));
    one('to content types', aim('/[Content_Types].xml'));
    one('escapes', aim(target.replace(/[a-z]/, (char) => `%${char.charCodeAt(0).toString(16)}`)));
    one('bad escape', aim(`${target}%zz`));
    one('fragment', aim(`${target}#x`));
    one('dots', aim(`./x/../${target}`));
    one('backslash', aim(target.replaceAll('/', '\\')));
    one('upper case', aim(target.toUpperCase()));
    one('external', (text) =>
      text
        .replace(/\s*\/?>$/, ' TargetMode="External"/>')
        .replace(/(TargetMode="External") TargetMode="External"/, '$1'),
    );
    one('other type', (text) =>
      text.replace(/Type="[^"]*"/, 'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/header"'),
    );
    one('no type', (text) => text.replace(/Type="[^"]*"/, 'Type=""'));
    one('other id', (text) => text.replace(/ Id="[^"]*"/, ' Id="rIdOther"'));
    one('no id', (text) => text.replace(/ Id="[^"]*"/, ''));
  }
}

const idAttribute =
  / ([\w.]+:(?:id|embed|link|pict|relid|href|dm|lo|qs|cs)|xpath|w:xpath|w:val|w:abstractNumId|w:numId|w:styleId|w:id)="([^"]*)"/g;

function damageIds(name: string, parts: Parts, add: Add): void {
  const xml = parts.get(name)?.toString() ?? '';
  const seen = new Map<string, number>();
  for (const match of xml.matchAll(idAttribute)) {
    const [whole, attribute = '', value = ''] = match;
    const count = seen.get(attribute) ?? 0;
    seen.set(attribute, count + 1);
    // The first of each attribute and then one in ten.
    if (count > 3 && count % 10 !== 0) continue;
    const at = match.index;
    const put = (label: string, text: string) =>
      add(`${label} ${attribute}="${value.slice(0, 40)}" at ${at} in ${name}`, (copy) =>
        copy.set(name, Buffer.from(xml.slice(0, at) + text + xml.slice(at + whole.length))),
      );
    put('unknown', ` ${attribute}="rIdMissing99"`);
    put('without', '');
    put('empty', ` ${attribute}=""`);
    put('huge', ` ${attribute}="99999999999999"`);
  }
}

function damageTypes(parts: Parts, add: Add): void {
  const xml = parts.get(types)?.toString() ?? '';
  const edit = (label: string, text: string) =>
    add(`${label} in ${types}`, (copy) => copy.set(types, Buffer.from(text)));
  for (const match of xml.matchAll(/<(?:\w+:)?(?:Default|Override)\b[^>]*>/g)) {
    const [whole] = match;
    if (/document\.main\+xml|Extension="rels"/.test(whole)) continue;
    const replace = (text: string) => xml.slice(0, match.index) + text + xml.slice(match.index + whole.length);
    const name = /(?:Extension|PartName)="([^"]*)"/.exec(whole)?.[1] ?? '';
    edit(`no type of ${name}`, replace(''));
    edit(`wrong type of ${name}`, replace(whole.replace(/ContentType="[^"]*"/, 'ContentType="image/png"')));
    edit(`text type of ${name}`, replace(whole.replace(/ContentType="[^"]*"/, 'ContentType="application/xml"')));
    edit(`type of ${name} twice`, replace(whole + whole));
  }
}
