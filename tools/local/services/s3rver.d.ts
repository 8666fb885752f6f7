declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';

  interface S3rverOptions {
    readonly address: string;
    readonly port: number;
    readonly directory: string;
    readonly silent: boolean;
    readonly vhostBuckets: boolean;
    readonly configureBuckets: readonly { readonly name: string }[];
  }

  export interface ListContext {
    readonly method: string;
    status: number;
    query: Record<string, string | undefined>;
    readonly body: {
      readonly ListBucketResult: {
        readonly Contents: readonly { readonly Key: string }[];
        readonly IsTruncated: boolean;
        KeyCount?: number;
        NextContinuationToken?: string;
      };
    };
  }

  /** The module `lib/controllers/bucket`. The router reads `getBucket` from this object for each request. */
  export interface BucketOperations {
    getBucket: (context: ListContext) => Promise<void>;
  }

  export default class S3rver {
    readonly httpServer: Server;
    constructor(options: S3rverOptions);
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
