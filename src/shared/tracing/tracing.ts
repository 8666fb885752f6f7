import type { Logger } from '../logger.ts';
import type { RequestTrace } from '../request-trace.ts';

/** A span to which others belong or refer, as in the headers of W3C Trace Context. */
export type SpanReference = Pick<RequestTrace, 'traceparent' | 'tracestate'>;

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Without one, a new trace begins. */
  readonly parent?: SpanReference | undefined;
  readonly links?: readonly SpanReference[];
  /** Unix time in ms; now by default. */
  readonly startMs?: number;
}

export interface SpanEnd {
  /** Replaces the name that the span began with. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  readonly hasFailed?: boolean;
  /** Unix time in ms; now by default. */
  readonly endMs?: number;
}

export interface Span {
  /** Passed on to what belongs to the span. */
  readonly reference: SpanReference;
  end(end?: SpanEnd): void;
}

/** Holds the span to which what runs now belongs; it may begin later. */
export interface ActiveSpan {
  reference?: SpanReference | undefined;
}

/** Sends spans and log lines to a collector. Nothing waits for it: what it cannot take is dropped. */
export interface Tracing {
  startSpan(name: string, options: SpanOptions): Span;
  /** Runs `work` with `span` as the active one. */
  run<T>(span: ActiveSpan, work: () => T): T;
  active(): ActiveSpan | undefined;
  /** Takes a line of the log. */
  onLine(line: string): void;
  /** Problems of the export are logged there, at most one a minute. */
  reportTo(logger: Logger): void;
  /** Exports that failed since the process started. What they held is dropped. */
  failedExports(): { readonly spans: number; readonly lines: number };
  /** Sends what is left; what the collector does not take is dropped. */
  close(): Promise<void>;
}
