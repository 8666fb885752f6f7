import { LRUCache } from 'lru-cache';
import type { CustomData } from './custom-data.ts';
import type { Formats } from './read-formats.ts';
import type { ReadPicture } from './read-picture.ts';
import type { Block } from './tree.ts';

/** The content of other parts of the document that a header or footer depends on. */
export interface StorySources {
  readonly readPicture: ReadPicture;
  readonly linkOf: (id: string) => string | undefined;
  readonly data: CustomData;
}

interface Story {
  readonly blocks: readonly Block[];
  readonly pictures: ReadonlyMap<string, Buffer | undefined>;
  readonly links: ReadonlyMap<string, string | undefined>;
}

const mostStories = 30;
const mostBytes = 4_000_000;
/** The parsed elements of a part take this multiple of its size. */
const bytesPerCharacter = 8;
const sizeOf = ({ pictures }: Story, xml: string): number =>
  [...pictures.values()].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 1 + xml.length * bytesPerCharacter);

/** Keyed by the formats of a template and the XML of the part. */
const kept = new WeakMap<Formats, LRUCache<string, Story>>();

/**
 * The blocks of a header or footer. Reuses the blocks of the last document with the same formats, XML, pictures and
 * links, so that they are also laid out only once; otherwise calls `read`.
 */
export function readSharedStory(
  formats: Formats,
  xml: string,
  sources: StorySources,
  read: (sources: StorySources) => readonly Block[],
): readonly Block[] {
  const stories = kept.get(formats) ?? newCache();
  kept.set(formats, stories);
  const known = stories.get(xml);
  if (known !== undefined && hasSameSources(known, sources)) return known.blocks;
  const pictures = new Map<string, Buffer | undefined>();
  const links = new Map<string, string | undefined>();
  let usesData = false;
  const blocks = read({
    readPicture: (id) => remember(pictures, id, sources.readPicture(id)),
    linkOf: (id) => remember(links, id, sources.linkOf(id)),
    data: {
      rootOf(id) {
        usesData = true;
        return sources.data.rootOf(id);
      },
    },
  });
  if (!usesData) stories.set(xml, { blocks, pictures, links });
  return blocks;
}

const newCache = (): LRUCache<string, Story> =>
  new LRUCache({ max: mostStories, maxSize: mostBytes, sizeCalculation: sizeOf });

function hasSameSources({ pictures, links }: Story, { readPicture, linkOf }: StorySources): boolean {
  for (const [id, bytes] of pictures) {
    const own = readPicture(id);
    if (own === undefined || bytes === undefined ? own !== bytes : !own.equals(bytes)) return false;
  }
  for (const [id, address] of links) if (linkOf(id) !== address) return false;
  return true;
}

function remember<T>(known: Map<string, T>, id: string, value: T): T {
  known.set(id, value);
  return value;
}
