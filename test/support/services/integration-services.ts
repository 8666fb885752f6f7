import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { openFolder, startBackingServices } from '../../../tools/local/backing-services.ts';
import { ensureProgramsBuilt } from '../../../tools/local/build.ts';
import { maintainServer, migratedTemplate, turnOffAutovacuum } from './maintain-server.ts';
import './provided.ts';

/**
 * Builds the programs whose processes the tests start, starts a migrated PostgreSQL, a Redis, an S3 server and a mail
 * catcher for the integration suite, and stops them afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureProgramsBuilt(process.cwd());
  const folder = mkdtempSync(join(tmpdir(), 'docmill-integration-'));
  const { context, close } = await openFolder(folder, process.env, () => undefined);
  const tearDown = async (): Promise<void> => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { postgres, redis, s3, mail } = await startBackingServices(context);
    const templateUrl = new URL(postgres.databaseUrl);
    templateUrl.pathname = migratedTemplate;
    await maintainServer(postgres.databaseUrl, `create database ${migratedTemplate}`);
    await Promise.all(
      [postgres.databaseUrl, templateUrl.href].map(async (url) => {
        await migrateDatabase(url);
        await maintainServer(url, turnOffAutovacuum);
      }),
    );
    project.provide('databaseUrl', postgres.databaseUrl);
    project.provide('redisUrl', redis.redisUrl);
    project.provide('s3', s3.access);
    project.provide('smtpUrl', mail.smtpUrl);
    project.provide('mailDir', mail.mailDir);
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}
