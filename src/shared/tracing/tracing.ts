import type { Logger } from '../logger.ts';
import type { RequestTrace } from '../request-trace.ts';

/** A span that others can belong or link to, as in the headers of W3C Trace Context. */
export type SpanReference = Pick<RequestTrace, 'traceparent' | 'tracestate'>;

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** The parent span; if undefined, a new trace begins. */
  readonly parent?: SpanReference | undefined;
  readonly links?: readonly SpanReference[];
  /** Unix time in ms. Default: now. */
  readonly startMs?: number;
}

export interface SpanEnd {
  /** Replaces the initial name of the span. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  readonly hasFailed?: boolean;
  /** Unix time in ms. Default: now. */
  readonly endMs?: number;
}

export interface Span {
  /** Passed on to child spans. */
  readonly reference: SpanReference;
  end(end?: SpanEnd): void;
}

/** Holds the span of the work that is running; the span may start later. */
export interface ActiveSpan {
  reference?: SpanReference | undefined;
}

/** Sends spans and log lines to a collector. Never blocks: whatever the collector cannot accept is dropped. */
export interface Tracing {
  startSpan(name: string, options: SpanOptions): Span;
  /** Runs `work` with `span` as the active span. */
  run<T>(span: ActiveSpan, work: () => T): T;
  active(): ActiveSpan | undefined;
  /** Accepts a log line. */
  onLine(line: string): void;
  /** Sets the logger for export failures, which logs at most one a minute. */
  reportTo(logger: Logger): void;
  /** The number of failed exports since the process started. Their contents are dropped. */
  failedExports(): { readonly spans: number; readonly lines: number };
  /** Flushes what is left; whatever the collector rejects is dropped. */
  close(): Promise<void>;
}
