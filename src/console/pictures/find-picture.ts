import type { Docmill } from '@docmill/client';
import type { Asset } from './stored-picture.tsx';

/** The picture with exactly this name. */
export async function findPicture(docmill: Docmill, name: string, signal?: AbortSignal): Promise<Asset | undefined> {
  for await (const asset of docmill.assets.list({ name }, { signal })) if (asset.name === name) return asset;
  return undefined;
}
