import { LRUCache } from 'lru-cache';
import { type PreparedTemplate, prepareTemplate, type RenderTarget } from '../render-template.ts';
import type { CacheNews } from './protocol.ts';

/** Parsed templates of one process, the least recently used forgotten first when they outgrow the limit. */
export class TemplateCache {
  readonly #templates: LRUCache<string, PreparedTemplate>;
  #evicted: string[] = [];

  constructor(maxBytes: number) {
    this.#templates = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (template) => template.sizeBytes,
      dispose: (_template, key) => this.#evicted.push(key),
    });
  }

  get(key: string, bytes: Uint8Array | undefined, target: RenderTarget): PreparedTemplate {
    const known = this.#templates.get(key);
    if (known !== undefined) return known;
    if (bytes === undefined) throw new Error('the process does not hold the template it was asked for');
    const template = prepareTemplate(bytes, target);
    this.#templates.set(key, template);
    return template;
  }

  /** What the pool must know after a job with this key. */
  news(key: string): CacheNews {
    const evicted = this.#evicted;
    this.#evicted = [];
    return { holds: this.#templates.has(key), evicted };
  }
}
