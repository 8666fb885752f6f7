/** Language and time zone of one render. */
export interface RenderLocale {
  /** A BCP 47 language tag. */
  readonly locale: string;
  /** An IANA time zone. */
  readonly timezone: string;
}

export const defaultLocale: RenderLocale = { locale: 'en', timezone: 'UTC' };

/** State that the expressions of one render share. */
export class RenderContext {
  readonly locale: string;
  readonly timezone: string;
  /** While set, collects the JSON paths of missing names. */
  missing: string[] | undefined;
  readonly #spendItems: (count: number) => void;
  readonly #cache = new Map<string, unknown>();

  /** `spendItems` receives the number of list items that a formatter is about to visit. Throws when over the limit. */
  constructor({ locale, timezone }: RenderLocale, spendItems: (count: number) => void = () => undefined) {
    this.locale = locale;
    this.timezone = timezone;
    this.#spendItems = spendItems;
  }

  spendItems(count: number): void {
    this.#spendItems(count);
  }

  /** Caches `Intl` formats, which are expensive to create. The key identifies class and options. */
  cached<T>(key: string, create: () => T): T {
    const known = this.#cache.get(key);
    if (known !== undefined) return known as T;
    const created = create();
    this.#cache.set(key, created);
    return created;
  }

  get collator(): Intl.Collator {
    return this.cached('collator', () => new Intl.Collator(this.locale, { numeric: true }));
  }
}
