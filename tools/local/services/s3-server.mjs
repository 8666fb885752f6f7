import { createRequire } from 'node:module';
import S3rver from '@20minutes/s3rver';

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

const operations = createRequire(import.meta.url)('@20minutes/s3rver/lib/controllers/bucket');
const { getBucket } = operations;
operations.getBucket = async (context) => {
  // s3rver would otherwise handle HEAD on a bucket by reading every object in it.
  if (context.method === 'HEAD') context.status = 200;
  else if (context.query['list-type'] === '2') await listByKey(context);
  else await getBucket(context);
};

/**
 * Implements ListObjectsV2 with ListObjects. The continuation token is the last key in base64, because s3rver encrypts
 * its own token with DES, which OpenSSL 3 refuses without its legacy provider.
 */
async function listByKey(context) {
  const {
    prefix,
    delimiter,
    'max-keys': maxKeys,
    'start-after': startAfter,
    'continuation-token': token,
  } = context.query;
  const marker = token === undefined ? startAfter : Buffer.from(token, 'base64').toString('utf8');
  const asked = { prefix, delimiter, 'max-keys': maxKeys, marker };
  context.query = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  await getBucket(context);
  const { ListBucketResult: list } = context.body;
  list.KeyCount = list.Contents.length;
  const lastKey = list.Contents.at(-1)?.Key;
  if (list.IsTruncated && lastKey !== undefined) list.NextContinuationToken = Buffer.from(lastKey).toString('base64');
}

await server.run();
// Longer than any client keeps an idle connection, so that no client reuses one that the server is closing.
server.httpServer.keepAliveTimeout = 120_000;

process.once('SIGTERM', () => {
  server.httpServer.closeAllConnections();
  void server.close().then(() => process.exit(0));
});
