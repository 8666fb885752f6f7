declare module 's3rver' {
  import type { Server } from 'node:http';

  interface S3rverOptions {
    readonly address: string;
    readonly port: number;
    readonly directory: string;
    readonly silent: boolean;
    readonly vhostBuckets: boolean;
    readonly configureBuckets: readonly { readonly name: string }[];
  }

  interface Context {
    readonly method: string;
    status: number;
  }

  /** What `s3rver/lib/controllers/bucket` holds: its routes look each operation up when it is asked for. */
  export interface BucketOperations {
    getBucket: (context: Context) => Promise<void>;
  }

  export default class S3rver {
    readonly httpServer: Server;
    constructor(options: S3rverOptions);
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
