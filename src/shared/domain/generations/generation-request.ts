import type { EmailRequest, OutputFormat } from './generation-record.ts';

export interface GenerationRequest {
  readonly id: string;
  readonly templateId: string;
  /** The version to use; the current one when it is not given. */
  readonly version?: number | undefined;
  readonly format: OutputFormat;
  /** Without extension handling: as it will be sent. Null takes the template's name. */
  readonly filename: string | null;
  readonly pdfOptions: Readonly<Record<string, unknown>> | null;
  /** `locale`, `timezone`, `onMissing`: how the template is filled. */
  readonly renderOptions?: Readonly<Record<string, unknown>> | null | undefined;
  readonly email: EmailRequest | null;
  /** Where the end of this document is told, beside the account's endpoints. */
  readonly callbackUrl?: string | undefined;
  /** Keep the result in object storage until it expires, for a replay or a delivery. */
  readonly isKept: boolean;
  readonly dataChecksum: string;
  /** The API key that orders it: its budget is spent, if it has one. */
  readonly keyId?: string | undefined;
}
