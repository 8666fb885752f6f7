import { gatherRows, gatherStream, needsWholeBody } from './gather-body.ts';
import type { components } from './generated-api.ts';
import { jsonBody } from './http.ts';
import type { OpenBody, Query, RequestBody } from './send-request.ts';

type BatchRequest = components['schemas']['BatchRequest'];
type BatchItem = components['schemas']['BatchItem'];
type Row = object;
type Rows<Data = Row> = Iterable<Data> | AsyncIterable<Data>;
type Item<Data> = Omit<BatchItem, 'data'> & { readonly data: Data };

/**
 * A CSV or NDJSON file: `{ csv: await openAsBlob('people.csv') }`. Or `items`: the JSON text of an array of `{ data,
 * output? }`, which is sent unchanged, so that numbers keep their digits, and which accepts all options. Set `encoding`
 * if it is already compressed.
 */
export type BatchFile = ItemsFile | RowFile;

interface ItemsFile {
  readonly items: Blob | string;
  readonly encoding?: 'gzip' | undefined;
}

type RowFile =
  | { readonly csv: Blob | string | ReadableStream<Uint8Array> }
  | { readonly ndjson: Blob | string | ReadableStream<Uint8Array> };

/**
 * The rows of a batch: an array of `{ data, output? }`, an iterable of data objects, or a file. A function that returns
 * the iterable is called again for each attempt, so that an interrupted upload can be retried.
 */
export type BatchInput<Data = Row> = readonly Item<Data>[] | (Rows<Data> & NoList) | (() => Rows<Data>) | BatchFile;

/** Excludes arrays, whose elements must be `{ data, output? }`, so that arrays of data objects do not compile. */
type NoList = { readonly length?: never };

/**
 * How the cells of a column of CSV are written: `1,234.50` (`decimalPoint`) or `1.234,50` (`decimalComma`), `31/12/2026`
 * (`dayFirst`), `12/31/2026` (`monthFirst`) or `46387` (`excelDate`), yes and no in words (`yesNo`), or anything
 * (`text`).
 */
export type CellFormat = 'text' | 'decimalPoint' | 'decimalComma' | 'dayFirst' | 'monthFirst' | 'excelDate' | 'yesNo';

export interface BatchOptions extends Omit<BatchRequest, 'items' | 'maxFailures' | 'callbackUrl'> {
  /** Version of the template. Default: the current one. */
  readonly version?: number | undefined;
  /**
   * The formats of columns of CSV whose cells have two meanings, such as `1.234`, or whose type the template does not
   * determine. Only with `{ csv }`.
   */
  readonly columnFormats?: Readonly<Record<string, CellFormat>> | undefined;
  /** If more rows than this fail, the batch fails and the remaining rows are released. */
  readonly maxFailures?: number | null | undefined;
  /** An https address that is notified when the batch completes or fails. */
  readonly callbackUrl?: string | null | undefined;
}

/**
 * The body and the query of a batch. Streams are sent as they are read, except in browsers, which need the whole body
 * first.
 */
export async function createBatchBody(
  input: BatchInput,
  { version, columnFormats, ...options }: BatchOptions,
  signal?: AbortSignal,
): Promise<{ body: RequestBody; query: Query }> {
  if (columnFormats !== undefined && !('csv' in input)) throw new TypeError('columnFormats needs the rows as { csv }');
  if (Array.isArray(input)) return { body: jsonBody({ ...options, items: input }), query: { version } };
  if ('items' in input) return { body: await itemsBody(options, input), query: { version } };
  const { output, ...rest } = options;
  const { email, docx, pdf, xml, ...formatting } = output ?? {};
  const { invoice, ...ofPdf } = pdf ?? {};
  const { externalContent, contentControls, ...ofDocx } = docx ?? {};
  const others = [...Object.entries(ofPdf).map(nameIn('pdf')), ...Object.entries(ofDocx).map(nameIn('docx'))];
  for (const { name, value } of others)
    if (value !== undefined && value !== null) throw new TypeError(`${name} needs the rows as an array of { data }`);
  const [to, ...moreTo] = email?.to ?? [];
  if (moreTo.length > 0 || email?.cc || email?.bcc)
    throw new TypeError('Several recipients need the rows as an array of { data }');
  const query: Query = {
    version,
    ...rest,
    ...formatting,
    columnFormats: listFormats(columnFormats),
    externalContent,
    contentControls,
    invoiceProfile: xml?.profile ?? invoice?.profile,
    invoiceFormat: invoice?.format,
    invoiceRelationship: invoice?.relationship,
    invoiceOnDifference: invoice?.onDifference,
    invoiceSyntax: xml?.syntax,
    emailTo: to,
    emailSubject: email?.subject,
    emailBody: email?.body,
  };
  const rows = input as Rows | (() => Rows) | RowFile;
  return { body: createStreamBody(needsWholeBody() ? await readWhole(rows, signal) : rows), query };
}

const nameIn =
  (group: string) =>
  ([field, value]: readonly [string, unknown]) => ({ name: `output.${group}.${field}`, value });

function listFormats(formats: BatchOptions['columnFormats']): string | undefined {
  const entries = Object.entries(formats ?? {});
  return entries.length === 0 ? undefined : entries.map(([column, format]) => `${column}:${format}`).join(',');
}

/** Reads the same rows into a complete file. */
async function readWhole(input: Rows | (() => Rows) | RowFile, signal: AbortSignal | undefined): Promise<RowFile> {
  const whole = (file: Blob | string | ReadableStream<Uint8Array>) =>
    file instanceof ReadableStream ? gatherStream(file, signal) : file;
  if (typeof input === 'function') return { ndjson: await gatherRows(input(), signal) };
  if ('csv' in input) return { csv: await whole(input.csv) };
  if ('ndjson' in input) return { ndjson: await whole(input.ndjson) };
  return { ndjson: await gatherRows(input, signal) };
}

function createStreamBody(input: Rows | (() => Rows) | RowFile): RequestBody {
  if (typeof input === 'function') return { contentType: ndjson, open: () => openRows(input(), () => false) };
  if ('csv' in input) return fileBody('text/csv', input.csv);
  if ('ndjson' in input) return fileBody(ndjson, input.ndjson);
  let hasLeft = false;
  const noteRead = () => {
    hasLeft = true;
  };
  return { contentType: ndjson, open: () => openRows(input as Rows, () => hasLeft, noteRead) };
}

const ndjson = 'application/x-ndjson';

/**
 * Sends the rows unchanged between the options and the closing brace, so that numbers keep their digits and files stay
 * on disk.
 */
async function itemsBody(options: object, { items, encoding }: ItemsFile): Promise<RequestBody> {
  const head = JSON.stringify(options).slice(0, -1);
  const parts = [`${head}${head === '{' ? '' : ','}"items":`, items, '}'] as const;
  // Concatenated gzip members are one valid gzip file (RFC 1952, 2.2).
  const body = new Blob(encoding === undefined ? [...parts] : [await gzip(parts[0]), items, await gzip(parts[2])]);
  return { contentType: 'application/json', contentEncoding: encoding, open: () => ({ body }) };
}

async function gzip(text: string): Promise<Blob> {
  return await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

function fileBody(contentType: string, file: Blob | string | ReadableStream<Uint8Array>): RequestBody {
  if (!(file instanceof ReadableStream)) return { contentType, open: () => ({ body: file }) };
  // A stream can be sent only once, so there are no retries.
  return { contentType, open: () => ({ body: file as ReadableStream<Uint8Array<ArrayBuffer>>, hasLeft: () => true }) };
}

/** One line of JSON for each row, produced as the connection accepts it. */
function openRows(rows: Rows, hasLeft: () => boolean, noteRead?: () => void): OpenBody {
  const encoder = new TextEncoder();
  let failure: { readonly error: unknown } | undefined;
  let iterator: Iterator<Row> | AsyncIterator<Row> | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        noteRead?.();
        try {
          iterator ??= Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
          const { done, value } = await iterator.next();
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
        } catch (error) {
          failure = { error };
          controller.error(error);
        }
      },
      async cancel() {
        await iterator?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, hasLeft, sourceError: () => failure };
}
