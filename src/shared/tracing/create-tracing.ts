import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  createTraceState,
  DiagLogLevel,
  diag,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { newId } from '../ids.ts';
import { isObject } from '../json.ts';
import type { Logger } from '../logger.ts';
import { thisRelease } from '../this-release.ts';
import type { ActiveSpan, Span, SpanOptions, SpanReference, Tracing } from './tracing.ts';

export interface TracingOptions {
  /** Base address of an OTLP/HTTP receiver; `/v1/traces` and `/v1/logs` are added. */
  readonly endpoint: string;
  /** The share of traces to record if the client does not decide, from 0 to 1. */
  readonly sampleRatio: number;
  readonly serviceName: string;
  /** Sent with every export. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The number of spans and lines that may wait for export; more are dropped. */
const maxQueueSize = 2_048;
const maxExportBatchSize = 512;
const exportTimeoutMillis = 5_000;
const scheduledDelayMillis = 1_000;
const kinds: Readonly<Record<SpanOptions['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Exports with OTLP/HTTP in JSON. The exporters read certificates and further settings from the standard variables
 * `OTEL_EXPORTER_OTLP_…`.
 */
export function createTracing({ endpoint, sampleRatio, serviceName, headers = {} }: TracingOptions): Tracing {
  const attributes = {
    'service.name': serviceName,
    'service.version': thisRelease.version,
    'service.instance.id': newId('wrk'),
  };
  const resource = resourceFromAttributes(attributes).merge(detectResources({ detectors: [envDetector] }));
  const base = endpoint.replace(/\/+$/, '');
  const limits = { maxQueueSize, maxExportBatchSize, exportTimeoutMillis, scheduledDelayMillis };
  const ofExporter = (path: string) => ({ url: `${base}${path}`, timeoutMillis: exportTimeoutMillis, headers });
  const failed = { spans: 0, lines: 0 };
  const spanExporter = new OTLPTraceExporter(ofExporter('/v1/traces'));
  const lineExporter = new OTLPLogExporter(ofExporter('/v1/logs'));
  countFailures(spanExporter, () => failed.spans++);
  countFailures(lineExporter, () => failed.lines++);
  const spans = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ ...limits, exporter: spanExporter })],
  });
  const lines = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ ...limits, exporter: lineExporter })],
  });
  const tracer = spans.getTracer('docmill', thisRelease.version);
  const sink = lines.getLogger('docmill', thisRelease.version);
  const storage = new AsyncLocalStorage<ActiveSpan>();
  return {
    startSpan(name, { kind, parent, links = [], startMs }) {
      const options = {
        kind: kinds[kind],
        links: links.flatMap(toLink),
        ...(startMs !== undefined && { startTime: startMs }),
      };
      return toSpan(tracer.startSpan(name, options, toContext(parent)));
    },
    run: (span, work) => storage.run(span, work),
    active: () => storage.getStore(),
    onLine(line) {
      const fields: unknown = JSON.parse(line);
      if (!isObject(fields)) return;
      const { level, time, msg, traceId, spanId, ...attributes } = fields;
      const reference = { traceparent: `00-${String(traceId)}-${String(spanId)}-01` };
      sink.emit({
        timestamp: new Date(String(time)),
        ...severityOf(Number(level)),
        body: String(msg),
        attributes: attributes as Record<string, string>,
        context: traceId === undefined ? ROOT_CONTEXT : toContext(reference),
      });
    },
    reportTo,
    failedExports: () => failed,
    async close() {
      await Promise.allSettled([spans.shutdown(), lines.shutdown()]);
      diag.disable();
    },
  };
}

function toSpan(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): Span {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const tracestate = traceState?.serialize();
  const flags = (traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01';
  return {
    reference: {
      traceparent: `00-${traceId}-${spanId}-${flags}`,
      ...(tracestate !== undefined && tracestate !== '' && { tracestate }),
    },
    end({ name, attributes, hasFailed = false, endMs } = {}) {
      if (name !== undefined) span.updateName(name);
      if (attributes !== undefined) span.setAttributes(attributes as Attributes);
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endMs);
    },
  };
}

function toSpanContext({ traceparent, tracestate }: SpanReference): SpanContext | undefined {
  if (traceparent === undefined) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
}

function toContext(parent: SpanReference | undefined): Context {
  const spanContext = parent && toSpanContext(parent);
  return spanContext === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

function toLink(reference: SpanReference): Link[] {
  const context = toSpanContext(reference);
  return context === undefined ? [] : [{ context }];
}

/** Maps pino's levels to OpenTelemetry's severity numbers (Logs Data Model, "Field: SeverityNumber"). */
function severityOf(level: number): { readonly severityNumber: number; readonly severityText: string } {
  const names = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
  const index = Math.min(names.length - 1, Math.max(0, Math.floor(level / 10) - 1));
  return { severityNumber: 1 + 4 * index, severityText: names[index] ?? 'INFO' };
}

/** An exporter for either signal; code 0 means success. */
interface Exporter<Item> {
  export(items: Item[], onResult: (result: { readonly code: number }) => void): void;
}

function countFailures<Item>(exporter: Exporter<Item>, onFailure: () => void): void {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, onResult) =>
    send(items, (result) => {
      if (result.code !== 0) onFailure();
      onResult(result);
    });
}

const reportIntervalMs = 60_000;

/** The exporters report failures to `diag` once their retries are exhausted. */
function reportTo(logger: Logger): void {
  let nextMs = 0;
  const ignore = (): void => undefined;
  const report = (message: string): void => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + reportIntervalMs;
    logger.warn({ reason: message.slice(0, 200) }, 'spans and log lines could not be exported, and are dropped');
  };
  diag.setLogger({ error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
}
