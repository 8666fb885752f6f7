import type { Words } from './dictionary.ts';

/** Language and time zone of one render. */
export interface RenderLocale {
  /** A BCP 47 language tag. */
  readonly locale: string;
  /** An IANA time zone. */
  readonly timezone: string;
}

export const defaultLocale: RenderLocale = { locale: 'en', timezone: 'UTC' };

interface RenderHooks {
  /** Receives the number of list items that a formatter is about to visit. Throws when over the limit. */
  readonly spendItems?: (count: number) => void;
  /** The dictionary in the language of the render. */
  readonly words?: Words;
  readonly onMissingWord?: (key: string) => void;
}

/** State that the expressions of one render share. */
export class RenderContext {
  readonly locale: string;
  readonly timezone: string;
  /** While set, collects the JSON paths of missing names. */
  missing: string[] | undefined;
  /** The index of the record that the fields of a mail merge read, which NEXT, NEXTIF and SKIPIF move. */
  record = 0;
  readonly #hooks: RenderHooks;
  readonly #cache = new Map<string, unknown>();

  constructor({ locale, timezone }: RenderLocale, hooks: RenderHooks = {}) {
    this.locale = locale;
    this.timezone = timezone;
    this.#hooks = hooks;
  }

  spendItems(count: number): void {
    this.#hooks.spendItems?.(count);
  }

  /** The word of a key in the language of the render; the key itself if the dictionary has none. */
  translate(key: string): string {
    const word = this.#hooks.words?.get(key);
    if (word === undefined) this.#hooks.onMissingWord?.(key);
    return word ?? key;
  }

  /** Caches `Intl` formats, which are expensive to create. The key identifies class and options. */
  cached<T>(key: string, create: () => T): T {
    const known = this.#cache.get(key);
    if (known !== undefined) return known as T;
    const created = create();
    this.#cache.set(key, created);
    return created;
  }

  /** The same render in another language. */
  inLocale(locale: string): RenderContext {
    const { timezone } = this;
    if (locale === this.locale) return this;
    return this.cached(`context ${locale}`, () => new RenderContext({ locale, timezone }, this.#hooks));
  }

  get collator(): Intl.Collator {
    return this.cached('collator', () => new Intl.Collator(this.locale, { numeric: true }));
  }
}
