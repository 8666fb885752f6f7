import { createRequire } from 'node:module';
import S3rver, { type BucketOperations } from 's3rver';

const [port, directory, bucket] = process.argv.slice(2);
if (port === undefined || directory === undefined || bucket === undefined) {
  throw new Error('usage: s3-server <port> <folder> <bucket>');
}

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
});
// Asked whether a bucket is there, it would read every object in it.
const buckets = createRequire(import.meta.url)('s3rver/lib/controllers/bucket') as BucketOperations;
const { getBucket } = buckets;
buckets.getBucket = async (context) => {
  if (context.method === 'HEAD') context.status = 200;
  else await getBucket(context);
};
await server.run();
// Longer than any client keeps an idle connection, so that none meets a connection that is just being closed.
server.httpServer.keepAliveTimeout = 120_000;

process.once('SIGTERM', () => {
  server.httpServer.closeAllConnections();
  void server.close().then(() => process.exit(0));
});
