import { loadOrphanConfig } from '../../shared/config/load-config.ts';
import { holdRemovals, readInstallation, releaseRemovals } from '../../shared/domain/installation.ts';
import { findOrphanedKeys, objectFolders } from '../../shared/domain/orphaned-objects.ts';
import { AppError } from '../../shared/errors.ts';
import { markBucket, readBucketState } from '../../shared/storage/bucket-owner.ts';
import { type AdminDeps, type Commands, optional } from '../parse-command.ts';
import { readId } from '../read-options.ts';
import { withBucket } from '../with-bucket.ts';

export const storageCommands: Commands = {
  'claim-bucket': {
    summary:
      'Assign the bucket to this database; --owner names the database that it has belonged to so far. Orphaned objects are kept until remove-orphans',
    options: { owner: optional('<installationId>') },
    steps(options) {
      const owner = options.has('owner') ? readId(options, 'owner', 'ins') : undefined;
      return ({ db }) => claimBucket(db, owner);
    },
  },
  orphans: {
    summary: 'Count the objects that no row refers to, by folder, with examples, and show whether the sweep keeps them',
    options: {},
    run: ({ db }) => walkOrphans(db, async () => undefined),
  },
  'remove-orphans': {
    summary: 'Remove the objects that orphans counts, however many; from then on the sweep removes orphans again',
    options: {},
    steps:
      () =>
      async ({ db }) => {
        const found = await walkOrphans(db, (remove, keys) => remove(keys));
        await releaseRemovals(db);
        return { ...found, removalsHeldAt: null, removed: found.orphans };
      },
  },
};

async function claimBucket(db: AdminDeps['db'], owner: string | undefined): Promise<object> {
  return await withBucket(db, async ({ store, verify }) => {
    const { id } = await readInstallation(db);
    const state = await readBucketState(db, store);
    if (state.kind === 'owned') return { installationId: id, previousOwner: id };
    const marked = state.kind === 'foreign' ? state.owner : undefined;
    if (marked !== owner)
      throw new AppError(
        'conflict',
        marked === undefined
          ? 'The bucket has no owner: leave --owner out'
          : `The bucket belongs to ${marked}: stop the processes of that database, then add --owner ${marked}`,
      );
    // Rows that refer to its objects may be in the other database.
    if (state.kind === 'foreign') await holdRemovals(db);
    await markBucket(db, store);
    await verify();
    return { installationId: id, previousOwner: marked ?? null };
  });
}

const maxExamples = 20;

interface OrphanCount {
  readonly listed: number;
  readonly orphans: number;
  /** The number of orphans by folder. */
  readonly folders: Readonly<Record<string, number>>;
  readonly examples: readonly string[];
  /** The time since which the sweep has kept all orphans; null when it removes them. */
  readonly removalsHeldAt: Date | null;
}

type Remove = (keys: readonly string[]) => Promise<void>;

/** Calls `step` with the orphaned objects of each page. Throws when the bucket belongs to another database. */
async function walkOrphans(
  db: AdminDeps['db'],
  step: (remove: Remove, keys: readonly string[]) => Promise<void>,
): Promise<OrphanCount> {
  const { ORPHAN_AGE_SECONDS: minAgeSeconds } = loadOrphanConfig();
  return await withBucket(db, async ({ objects, verify }) => {
    await verify();
    const [folders, examples] = [{} as Record<string, number>, [] as string[]];
    let [listed, orphans] = [0, 0];
    for (const folder of objectFolders) {
      for await (const page of objects.list(folder)) {
        const keys = await findOrphanedKeys(db, page, minAgeSeconds);
        await step(objects.remove, keys);
        listed += page.length;
        orphans += keys.length;
        folders[folder] = (folders[folder] ?? 0) + keys.length;
        examples.push(...keys.slice(0, maxExamples - examples.length));
      }
    }
    const { removalsHeldAt } = await readInstallation(db);
    return { listed, orphans, folders, examples, removalsHeldAt };
  });
}
