import { DOMParser, XMLSerializer, type Document as XmlDocument } from '@xmldom/xmldom';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { writePackage } from '../../../../src/worker/docx/package/write-package.ts';
import { createRandom } from '../../../../tools/fuzz/random.ts';
import { type MutableDocument, mutations, type Part } from './mutations.ts';

export interface Mutant {
  readonly docx: Buffer;
  /** The names of the mutations, in the order in which they were applied. */
  readonly changes: readonly string[];
}

const mostChanges = 4;
const mostTries = 20;
const headersAndFooters = /^word\/(?:header|footer|footnotes)\d*\.xml$/;
const mutableParts = ['word/styles.xml', 'word/numbering.xml', 'word/settings.xml'];

/**
 * Changes a .docx in one to four places, with properties of `donor`. Equal arguments give equal bytes. Undefined if
 * there is nothing to change.
 */
export function mutateDocx(base: Uint8Array, donor: Uint8Array, seed: number): Mutant | undefined {
  const random = createRandom(seed);
  const source = openPackage(base);
  const opened = openDocument(source);
  const given = openDocument(openPackage(donor));
  const changes: string[] = [];
  const wanted = 1 + random.below(mostChanges);
  for (let tries = 0; tries < mostTries && changes.length < wanted; tries++) {
    const [name, mutate] = random.pick(mutations);
    if (mutate(opened, given, random)) changes.push(name);
  }
  if (changes.length === 0) return undefined;
  const serializer = new XMLSerializer();
  const changed = opened.parts.map(({ name, xml }): [string, Buffer] => [
    name,
    Buffer.from(serializer.serializeToString(xml)),
  ]);
  return { docx: writePackage(source, new Map(changed)), changes };
}

function openDocument(source: ReturnType<typeof openPackage>): MutableDocument {
  const { mainPart } = source;
  const relations = mainPart.replace(/([^/]*)$/, '_rels/$1.rels');
  const stories = source.partNames.filter((name) => headersAndFooters.test(name)).sort();
  const names = [mainPart, ...stories, ...mutableParts, relations];
  const parts = names.flatMap((name): Part[] => {
    const text = source.readText(name);
    return text === undefined ? [] : [{ name, xml: parse(text) }];
  });
  return {
    parts,
    main: parts[0]?.xml ?? parse('<none/>'),
    relations: parts.find(({ name }) => name === relations)?.xml,
  };
}

const parse = (text: string): XmlDocument =>
  new DOMParser({ onError: () => undefined }).parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml');
