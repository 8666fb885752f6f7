import { createServer, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listenOnLoopback } from '../loopback.ts';

export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly hasFailed: boolean;
}

export interface ReceivedLine {
  readonly service: string;
  readonly body: string;
  readonly severity: number;
  readonly traceId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly lines: readonly ReceivedLine[];
  /** The number of requests so far, including those without a response. */
  requests(): number;
  /** What it does with later requests: accepts them, refuses them, or never responds. */
  behave(as: 'taking' | 'refusing' | 'hanging'): void;
  close(): Promise<void>;
}

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
interface Resource {
  readonly resource: { readonly attributes: Attributes };
}
interface SentSpan extends Omit<ReceivedSpan, 'attributes' | 'links'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly links?: ReceivedSpan['links'];
  readonly status?: { readonly code?: number };
}
interface SentLine {
  readonly body: Readonly<Record<string, unknown>>;
  readonly severityNumber: number;
  readonly traceId?: string;
  readonly attributes: Attributes;
}
interface Export {
  readonly resourceSpans?: readonly (Resource & {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  })[];
  readonly resourceLogs?: readonly (Resource & {
    readonly scopeLogs: readonly { readonly logRecords: readonly SentLine[] }[];
  })[];
}

/** Reads a value such as `{ stringValue: 'a' }`; integers may be strings. */
function toValue(value: Readonly<Record<string, unknown>>): unknown {
  return 'intValue' in value ? Number(value.intValue) : Object.values(value)[0];
}
const toRecord = (attributes: Attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value)]));
const serviceOf = ({ resource }: Resource): string => String(toRecord(resource.attributes)['service.name']);
const toMs = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

/** An OTLP/HTTP receiver for JSON bodies. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const lines: ReceivedLine[] = [];
  let behaviour: Parameters<OtlpReceiver['behave']>[0] = 'taking';
  let requests = 0;
  const take = (body: Export): void => {
    for (const scoped of body.resourceSpans ?? []) {
      const service = serviceOf(scoped);
      for (const sent of scoped.scopeSpans.flatMap((scope) => scope.spans)) {
        const { startTimeUnixNano, endTimeUnixNano, attributes, links = [], status, ...span } = sent;
        const times = { startMs: toMs(startTimeUnixNano), endMs: toMs(endTimeUnixNano) };
        const hasFailed = status?.code === 2;
        spans.push({ ...span, ...times, service, attributes: toRecord(attributes), links, hasFailed });
      }
    }
    for (const scoped of body.resourceLogs ?? []) {
      const service = serviceOf(scoped);
      for (const { body: text, severityNumber, traceId, attributes } of scoped.scopeLogs.flatMap((s) => s.logRecords)) {
        const line = { service, body: String(toValue(text)), severity: severityNumber, traceId };
        lines.push({ ...line, attributes: toRecord(attributes) });
      }
    }
  };
  const answer = async (chunks: AsyncIterable<Buffer>, isGzip: boolean, response: ServerResponse): Promise<void> => {
    requests += 1;
    if (behaviour === 'hanging') return;
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    const bytes = Buffer.concat(parts);
    if (behaviour === 'taking') take(JSON.parse((isGzip ? gunzipSync(bytes) : bytes).toString('utf8')) as Export);
    response.writeHead(behaviour === 'taking' ? 200 : 400, { 'Content-Type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => {
    const isGzip = request.headers['content-encoding'] === 'gzip';
    answer(request as AsyncIterable<Buffer>, isGzip, response).catch(() => response.destroy());
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    close,
    spans,
    lines,
    requests: () => requests,
    behave(as) {
      behaviour = as;
    },
  };
}
