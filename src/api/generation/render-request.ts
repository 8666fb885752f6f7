import { z } from '@hono/zod-openapi';

const isLocale = (text: string): boolean => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
};

const isTimezone = (text: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The fields of `output` that say how a template is filled. */
export const renderFields = {
  locale: z
    .string()
    .max(100)
    .refine(isLocale, 'must be a language such as en-GB or de')
    .optional()
    .openapi({ description: 'Language of numbers, dates and words (BCP 47); `en` without it.', example: 'de-DE' }),
  timezone: z
    .string()
    .max(100)
    .refine(isTimezone, 'must be a time zone such as Europe/Berlin')
    .optional()
    .openapi({ description: 'Time zone of dates and times (IANA); `UTC` without it.', example: 'Europe/Berlin' }),
  onMissing: z.enum(['empty', 'error', 'highlight'], 'must be empty, error or highlight').optional().openapi({
    description:
      'What a tag without a value does: prints nothing (the default), refuses the request and names every missing path, or shows itself in yellow (docx only).',
  }),
};
