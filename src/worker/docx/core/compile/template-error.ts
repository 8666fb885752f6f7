import { AppError, type ErrorDetail } from '../../../../shared/errors.ts';
import type { Delimiters } from '../../../../shared/template-syntax.ts';
import { withDelimiters } from '../../language/delimiters.ts';
import { plain, spaced, type TagProblem } from '../../language/scan-tags.ts';
import { docxLimits } from '../../limits.ts';

export interface FaultyPart {
  /** The name by which authors know the part: `body`, `header 1`. */
  readonly label: string;
  readonly text: string;
  readonly problems: readonly TagProblem[];
}

/** The `template_invalid` error with the problems of all parts, up to the limit of details. */
export function templateError(parts: readonly FaultyPart[], delimiters: Delimiters): AppError {
  const details = parts.flatMap((part) => part.problems.map((problem) => toDetail(part, problem, delimiters)));
  const maxDetails = docxLimits.errorDetails;
  const shown =
    details.length <= maxDetails
      ? details
      : [
          ...details.slice(0, maxDetails - 1),
          { type: 'Message', message: 'The template has more errors than are shown here.' } as const,
        ];
  return new AppError('template_invalid', 'Template validation errors', { details: shown });
}

function toDetail(
  { label, text }: FaultyPart,
  { message, tag, offset, hint }: TagProblem,
  delimiters: Delimiters,
): ErrorDetail {
  const read = (written: string) => withDelimiters(written, delimiters);
  const detail = {
    type: 'Message',
    message: read(`In ${placeOf(label)}: ${message}.`),
    tag: read(tag),
    part: label,
    context: read(contextOf(text, offset, tag.length)),
  } as const;
  return hint === undefined ? detail : { ...detail, hint: read(hint) };
}

function placeOf(label: string): string {
  return /\d$/.test(label) ? label : `the ${label}`;
}

const contextLength = 40;

function contextOf(text: string, offset: number, tagLength: number): string {
  const around = Math.max(8, Math.floor((contextLength - tagLength) / 2));
  const before = readable(text.slice(Math.max(0, offset - maxEscapedLength * around), offset));
  const after = readable(text.slice(offset, offset + maxEscapedLength * (tagLength + around)));
  const start = before.length > around ? `…${before.slice(-around)}` : before;
  const end = after.length > tagLength + around ? `${after.slice(0, tagLength + around)}…` : after;
  return `${start}${end}`.trim();
}

/** `&quot;` */
const maxEscapedLength = 6;

function readable(text: string): string {
  return plain(spaced(text)).replace(/\s+/g, ' ');
}
