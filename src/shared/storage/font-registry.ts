import { hash } from 'node:crypto';
import { z } from 'zod';
import type { FontFamily } from '../fonts.ts';
import { createAnnouncements } from '../queue/announcements.ts';
import { guardedRedis } from '../queue/errors.ts';
import type { Redis } from '../queue/redis.ts';

const lifetimeMs = 90_000;
const listSeconds = 180;
const list = z.object({
  /** All names, including alternative names of the same families. */
  names: z.array(z.string()),
  families: z.array(
    z.object({
      name: z.string(),
      styles: z.array(z.string()),
      scripts: z.array(z.string()),
      version: z.string().optional(),
    }),
  ),
});

/** The fonts of one worker. */
export type FontList = z.infer<typeof list>;

/** A family, and how many workers have it. */
export interface AnnouncedFamily extends FontFamily {
  readonly workers: number;
}

export interface AnnouncedFonts {
  /** The number of workers that convert to PDF. */
  readonly workers: number;
  /** Sorted by name. If workers differ, styles and scripts are combined, and the version is that of one worker. */
  readonly families: readonly AnnouncedFamily[];
  /** The names that all workers have. */
  readonly common: readonly string[];
}

/** The fonts of the workers that convert to PDF; each worker announces its own regularly. */
export interface FontRegistry {
  announce(workerId: string, fonts: FontList): Promise<void>;
  withdraw(workerId: string): Promise<void>;
  /** The fonts of all live workers; undefined when no worker has announced any. */
  read(): Promise<AnnouncedFonts | undefined>;
}

/** Workers that run the same image have the same list, which is stored once, under its digest. */
export function createFontRegistry(redis: Redis, prefix: string): FontRegistry {
  const announcements = createAnnouncements(redis, `${prefix}:fonts`, lifetimeMs);
  const listKey = (digest: string) => `${prefix}:fonts:${digest}`;
  return {
    async announce(workerId, fonts) {
      const text = JSON.stringify(fonts);
      const digest = hash('sha256', text, 'hex');
      await guardedRedis(async () => {
        if ((await redis.expire(listKey(digest), listSeconds)) === 0)
          await redis.set(listKey(digest), text, 'EX', listSeconds);
      });
      await announcements.announce(workerId, digest);
    },
    withdraw: announcements.withdraw,
    async read() {
      const workersByList = new Map<string, number>();
      for (const digest of await announcements.read()) workersByList.set(digest, (workersByList.get(digest) ?? 0) + 1);
      const lists: { readonly workers: number; readonly fonts: FontList }[] = [];
      for (const [digest, workers] of workersByList) {
        const text = await guardedRedis(() => redis.get(listKey(digest)));
        if (text !== null) lists.push({ workers, fonts: list.parse(JSON.parse(text)) });
      }
      return lists.length === 0 ? undefined : combine(lists);
    },
  };
}

function combine(lists: readonly { readonly workers: number; readonly fonts: FontList }[]): AnnouncedFonts {
  const families = new Map<string, AnnouncedFamily>();
  for (const { workers, fonts } of lists) {
    for (const family of fonts.families) {
      const known = families.get(family.name);
      families.set(family.name, {
        ...family,
        styles: union(known?.styles, family.styles),
        scripts: union(known?.scripts, family.scripts),
        version: known?.version ?? family.version,
        workers: workers + (known?.workers ?? 0),
      });
    }
  }
  const [first, ...others] = lists.map(({ fonts }) => new Set(fonts.names));
  return {
    workers: lists.reduce((sum, { workers }) => sum + workers, 0),
    families: [...families.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    common: [...(first ?? [])].filter((name) => others.every((names) => names.has(name))),
  };
}

function union(some: readonly string[] = [], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])].sort();
}
