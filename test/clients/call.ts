export interface CallInput {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface CallResult {
  readonly status: number;
  readonly data: unknown;
}

/** Calls one operation by its id, with the functions of a generated client. */
export type Call = (operationId: string, input?: CallInput) => Promise<CallResult>;

export interface Service {
  readonly url: string;
  readonly apiKey: string;
}

export interface OperationInfo {
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}
