import { LRUCache } from 'lru-cache';
import { type PreparedTemplate, type PrepareOptions, prepareTemplate, type RenderTarget } from '../render-template.ts';
import type { CacheChange } from './protocol.ts';

/** Parsed templates of one process. The least recently used are evicted when they exceed the limit. */
export class PreparedTemplates {
  readonly #templates: LRUCache<string, PreparedTemplate>;
  #evicted: string[] = [];

  constructor(maxBytes: number) {
    this.#templates = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (template) => template.sizeBytes,
      dispose: (_template, key) => this.#evicted.push(key),
    });
  }

  /** Throws IncludesNeeded for a new template that includes others, without `options.includes`. */
  get(key: string, bytes: Uint8Array | undefined, target: RenderTarget, options: PrepareOptions): PreparedTemplate {
    const known = this.#templates.get(key);
    if (known !== undefined) return known;
    if (bytes === undefined) throw new Error('the process does not have the template');
    // The files are views of a whole message, which must not stay in memory with the template.
    const includes = options.includes && new Map(Array.from(options.includes, ([name, file]) => [name, copy(file)]));
    const template = prepareTemplate(copy(bytes), target, { ...options, includes });
    this.#templates.set(key, template);
    return template;
  }

  /** The state of the cache to report to the pool after a job with this key. */
  changeFor(key: string): CacheChange {
    const evicted = this.#evicted;
    this.#evicted = [];
    return { isCached: this.#templates.has(key), evicted };
  }
}

const copy = (bytes: Uint8Array): Uint8Array => Buffer.from(bytes);
