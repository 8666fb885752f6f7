import { ApiError, type Docmill, type ErrorDetail } from '@docmill/client';
import { DocumentProblem, type Preview, type Previewer } from './previewer.ts';

/** Previews are rate-limited, so many of them may have to wait for the next minute. */
const maxRetries = 10;

/**
 * Renders through `POST /v1/templates/preview`. `delimiters` are those of the tags, such as `{{ }}`. Default: braces.
 */
export function createPreviewer({ templates }: Docmill, signal: AbortSignal, delimiters?: string): Previewer {
  const send = ({ file, data, output }: Preview, pages: Readonly<Record<string, unknown>>) => {
    // Sends the data as written, so that numbers keep their digits.
    const request = `{"data":${data},"output":${JSON.stringify(output)},"preview":${JSON.stringify(pages)}}`;
    const options = { signal, maxRetries, delimiters };
    return orDocumentProblem(() => templates.previewFile(Uint8Array.from(file), request, options));
  };
  return {
    async pdf(preview, pages) {
      const { bytes, pageCount } = await send(preview, { format: 'pdf', pages });
      return { bytes, pageCount };
    },
    async picture(preview, page, dpi) {
      return (await send(preview, { format: 'png', page, dpi })).bytes;
    },
  };
}

/** Converts the service's errors about the template or its data to a `DocumentProblem`. */
export async function orDocumentProblem<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 413)) throw error;
    throw new DocumentProblem(error.details.length === 0 ? [error.message] : error.details.map(describe));
  }
}

function describe({ message, tag, part, context, hint }: ErrorDetail): string {
  const place = [
    ...(tag === undefined ? [] : [`tag ${tag}`]),
    ...(part === undefined ? [] : [`in ${part}`]),
    ...(context === undefined ? [] : [`near "${context}"`]),
  ];
  const where = place.length === 0 ? '' : ` (${place.join(', ')})`;
  return `${message}${where}${hint === undefined ? '' : ` Hint: ${hint}`}`;
}
