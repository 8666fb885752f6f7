import { accentStyle } from './accent-style.ts';
import { type Logo, readLogo } from './read-logo.ts';

/** What an operator replaces on the pages of the service. */
export interface Brand {
  readonly name: string | undefined;
  readonly helpUrl: string | undefined;
  readonly logo: Logo | undefined;
  /** A style sheet with the colours of the accent. */
  readonly style: string | undefined;
}

interface BrandConfig {
  readonly BRAND_NAME?: string | undefined;
  readonly BRAND_HELP_URL?: string | undefined;
  readonly BRAND_LOGO?: string | undefined;
  readonly BRAND_ACCENT?: string | undefined;
}

/**
 * Reads the logo and derives the colours. Undefined if nothing is replaced.
 *
 * @throws ConfigError if the logo cannot be used
 */
export function loadBrand(config: BrandConfig): Brand | undefined {
  const { BRAND_NAME: name, BRAND_HELP_URL: helpUrl, BRAND_LOGO: file, BRAND_ACCENT: accent } = config;
  if ([name, helpUrl, file, accent].every((value) => value === undefined)) return undefined;
  const logo = file === undefined ? undefined : readLogo(file);
  return { name, helpUrl, logo, style: accent === undefined ? undefined : accentStyle(accent) };
}
