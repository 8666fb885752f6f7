// Makes stack traces show lines of our TypeScript source. Packages loaded before source maps are enabled are excluded,
// because their maps would take 12 MB of memory per process.
import 'bullmq';
import 'drizzle-orm/node-postgres';
import 'drizzle-orm/pg-core';
import 'minio';

process.setSourceMapsEnabled(true);
