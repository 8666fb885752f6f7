import { ApiError, type Docmill, type ErrorDetail } from '@docmill/client';
import { DocumentProblem, type Preview, type Previewer } from './previewer.ts';

/** The rate of previews is limited: many at a time wait for their minute. */
const maxRetries = 10;
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Renders through `POST /v1/templates/preview`. */
export function createPreviewer(docmill: Docmill, signal: AbortSignal): Previewer {
  const send = (preview: Preview, options: Readonly<Record<string, unknown>>) =>
    orDocumentProblem(() =>
      docmill.send(
        'POST',
        '/v1/templates/preview',
        { body: toForm(preview, options), signal, maxRetries },
        async (response) => ({ bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers }),
      ),
    );
  return {
    async pdf(preview, pages) {
      const { bytes, headers } = await send(preview, { format: 'pdf', pages });
      return { bytes, pageCount: Number(headers.get('Page-Count')) };
    },
    async picture(preview, page, dpi) {
      return (await send(preview, { format: 'png', page, dpi })).bytes;
    },
  };
}

/** The data goes as it is written: numbers keep their digits. */
function toForm({ file, data, output }: Preview, options: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  form.set('file', templateBlob(file), 'template.docx');
  const rest = `"output":${JSON.stringify(output)},"preview":${JSON.stringify(options)}`;
  form.set('request', new Blob([`{"data":${data},${rest}}`], { type: 'application/json' }), 'request.json');
  return form;
}

/** A template file as a part of a form. */
export const templateBlob = (file: Uint8Array): Blob => new Blob([Uint8Array.from(file)], { type: docxType });

/** What the service rejects because of the template or its data becomes a `DocumentProblem`. */
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
