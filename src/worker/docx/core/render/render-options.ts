import { AppError } from '../../../../shared/errors.ts';
import { isLocale } from '../../../../shared/is-locale.ts';
import type { RequestedRenderOptions } from '../../../../shared/output-options.ts';
import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { defaultLocale, type RenderLocale } from '../../language/render-context.ts';

/** The handling of a tag without a value. */
export type MissingPolicy = NonNullable<RequestedRenderOptions['onMissing']>;
const missingPolicies: readonly MissingPolicy[] = ['empty', 'error', 'highlight'];

export interface RenderOptions extends RequestedRenderOptions {
  /**
   * Whether to leave apparent tags unchanged, for a document that is not a template. Not a request option. Default:
   * false.
   */
  readonly isLiteral?: boolean | undefined;
  /** The syntax of the template's tags, the same for all its renders. Default: braces. Not a request option. */
  readonly syntax?: TemplateSyntax | undefined;
  /** The name that FILENAME fields show. Not a request option. */
  readonly fileName?: string | undefined;
  /** Keys of the data that something else reads, such as the invoice of the document. Not a request option. */
  readonly keysReadElsewhere?: readonly string[] | undefined;
  /** Whether to print the word TEST on every page of a .docx. A PDF gets it after its conversion. */
  readonly hasTestWatermark?: boolean | undefined;
}

export interface ResolvedOptions extends RenderLocale {
  readonly onMissing: MissingPolicy;
}

const longest = 100;
const mostRemembered = 100;

// Checking a time zone takes a tenth of the time of a small document, so results are cached.
const isKnownLocale = remembered(supportsLocale);
const isKnownTimezone = remembered(supportsTimezone);

/** Fills in defaults. Throws `invalid_request` with the name of an invalid field. */
export function resolveOptions(options: RenderOptions = {}): ResolvedOptions {
  const { locale = defaultLocale.locale, timezone = defaultLocale.timezone, onMissing = 'empty' } = options;
  if (!isKnownLocale(locale)) throw invalid('output.locale', 'must be a language such as "en-GB" or "de"');
  if (!isKnownTimezone(timezone)) throw invalid('output.timezone', 'must be a time zone such as "Europe/Berlin"');
  if (!missingPolicies.includes(onMissing))
    throw invalid('output.onMissing', `must be one of ${missingPolicies.join(', ')}`);
  return { locale, timezone, onMissing };
}

/** Caches valid names. The cache is bounded, since a name has many spellings. */
function remembered(isGood: (name: unknown) => boolean): (name: unknown) => boolean {
  const good = new Set<unknown>();
  return (name) => {
    if (good.has(name)) return true;
    if (!isGood(name)) return false;
    if (good.size >= mostRemembered) good.clear();
    good.add(name);
    return true;
  };
}

function supportsLocale(locale: unknown): boolean {
  return typeof locale === 'string' && locale.length <= longest && isLocale(locale);
}

function supportsTimezone(timezone: unknown): boolean {
  if (typeof timezone !== 'string' || timezone.length > longest) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { details: [{ type: 'Field', path, message }] });
}
