/** Language and place of one render. */
export interface RenderLocale {
  /** A BCP 47 language tag. */
  readonly locale: string;
  /** A time zone of the IANA database. */
  readonly timezone: string;
}

export const defaultLocale: RenderLocale = { locale: 'en', timezone: 'UTC' };

/** What the formulas of one render share. */
export class RenderContext {
  readonly locale: string;
  readonly timezone: string;
  /** While set, names that are not found add their JSON path. */
  missing: string[] | undefined;
  readonly #spendItems: (count: number) => void;
  readonly #made = new Map<string, unknown>();

  /** `spendItems` is told how many list items a formatter is about to visit, and may throw. */
  constructor({ locale, timezone }: RenderLocale, spendItems: (count: number) => void = () => undefined) {
    this.locale = locale;
    this.timezone = timezone;
    this.#spendItems = spendItems;
  }

  spendItems(count: number): void {
    this.#spendItems(count);
  }

  /** Formats of Intl are expensive to make: each is made once. The key names class and options. */
  cached<T>(key: string, make: () => T): T {
    const known = this.#made.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.#made.set(key, made);
    return made;
  }

  get collator(): Intl.Collator {
    return this.cached('collator', () => new Intl.Collator(this.locale, { numeric: true }));
  }
}
