import type { EmailRequest, GenerationTimings, GenerationWarning } from '../../db/schema/generations.ts';
import type { ErrorRecord } from '../../errors.ts';

export type { EmailRequest, GenerationTimings, GenerationWarning } from '../../db/schema/generations.ts';
export type OutputFormat = 'docx' | 'pdf';
export type GenerationStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Where the bytes of a finished document lie. */
export interface ResultLocation {
  readonly store: 'redis' | 'object';
  readonly key: string;
  readonly sizeBytes: number;
  readonly checksum: string;
}

/** A document's row as the API reads it. */
export interface GenerationRecord {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly status: GenerationStatus;
  readonly format: OutputFormat;
  readonly filename: string;
  readonly deliveryId: string | undefined;
  readonly error: ErrorRecord | undefined;
  readonly warnings: readonly GenerationWarning[];
  readonly timings: GenerationTimings | undefined;
  readonly result: ResultLocation | undefined;
  readonly pages: number | undefined;
  readonly acceptedAt: Date;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  /** Until when the bytes are kept, when they are. */
  readonly expiresAt: Date | undefined;
}

/** What a worker needs to make a document. */
export interface ClaimedGeneration {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly templateObjectKey: string;
  readonly templateChecksum: string;
  readonly format: OutputFormat;
  readonly filename: string;
  readonly pdfOptions: Readonly<Record<string, unknown>> | undefined;
  readonly renderOptions: Readonly<Record<string, unknown>> | undefined;
  readonly email: EmailRequest | undefined;
  readonly isKept: boolean;
  readonly dataChecksum: string;
  readonly attempts: number;
  readonly attemptToken: string;
  /** Milliseconds between acceptance and this claim, by the database's clock. */
  readonly queueMs: number;
  /** Somebody may want to be told of its end: the account had a webhook when this was claimed, or the call names one. */
  readonly emitsEvents: boolean;
  /** Its file is to be sent. */
  readonly isMailed: boolean;
  /** When it was claimed, on this process's `performance.now` clock. */
  readonly claimedAtMs: number;
}
