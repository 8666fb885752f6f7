import colorString from 'color-string';
import { z } from 'zod';
import { text, url, variable } from './variable.ts';

const maxNameLength = 40;

const name = z
  .string()
  .trim()
  .min(1)
  .max(maxNameLength, `must have at most ${maxNameLength} characters`)
  .refine((value) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(value), 'must be one line without control characters');

/** `#rrggbb`. A transparent colour has no contrast of its own, so it is refused. */
const colour = z.string().transform((value, context) => {
  const [red, green, blue, alpha] = colorString.get.rgb(value.trim().toLowerCase()) ?? [];
  const hex = alpha === 1 ? colorString.to.hex(red ?? 0, green ?? 0, blue ?? 0) : undefined;
  if (hex === undefined || hex === null) {
    context.addIssue({ code: 'custom', message: 'must be an opaque colour, such as #0a7d55 or rgb(10, 125, 85)' });
    return z.NEVER;
  }
  return hex.toLowerCase();
});

/** The installation's own name, for the API and the workers. */
export const brandName = {
  BRAND_NAME: variable(
    name.optional(),
    'text',
    'Name of the service in the console, on the home page and in e-mails, at most 40 characters.',
    'Docmill',
  ),
  BRAND_HELP_URL: variable(
    url('http:', 'https:').optional(),
    'URL',
    "Your users' help page: a link in the console, in the guide, and at the end of e-mails without a text of their own.",
  ),
};

/** How the pages of the API look. */
export const brandLook = {
  BRAND_LOGO: variable(text.optional(), 'file', 'Logo and icon of the pages: a square SVG or PNG of at most 256 KB.'),
  BRAND_ACCENT: variable(
    colour.optional(),
    'colour',
    'Colour of links and buttons on all pages. Docmill darkens or lightens it until texts are legible (WCAG AA).',
    '#1f5fd0',
  ),
};
