// Stack traces in the log name the lines of our own source. What is loaded before maps are asked for has none: those of the
// packages would take 12 MB of each process.
import 'bullmq';
import 'drizzle-orm/node-postgres';
import 'drizzle-orm/pg-core';
import 'minio';

process.setSourceMapsEnabled(true);
