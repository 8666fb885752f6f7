import type { components } from '@docmill/client';
import { documentTexts } from '../texts/documents.ts';

type ErrorBody = components['schemas']['ErrorBody'];

export interface FailureDetail {
  readonly message: string;
  /** Where the error is: the tag, the field, the part of the document. */
  readonly places: readonly string[];
  /** The text around it. */
  readonly context: string | undefined;
  readonly hint: string | undefined;
}

const maxDetails = 50;

/** The details of an error for display; leaves out details that only repeat the message. */
export function detailsOf(error: ErrorBody): readonly FailureDetail[] {
  return (error.details ?? [])
    .slice(0, maxDetails)
    .map((detail): FailureDetail => {
      const { message, tag, path, part, context, hint } = detail;
      const places = [tag !== undefined && `{${tag}}`, path, part !== undefined && documentTexts.where(part)];
      return { message, places: places.filter((place) => typeof place === 'string'), context, hint };
    })
    .filter(({ message, places, context, hint }) => {
      return message !== error.message || places.length > 0 || context !== undefined || hint !== undefined;
    });
}

/** What the user can do about an error of this status. */
export function remedyOf(status: number): keyof typeof documentTexts.remedies {
  if (status === 402) return 'quota';
  if (status === 429 || status === 503 || status === 504) return 'busy';
  return status >= 500 ? 'service' : 'data';
}
