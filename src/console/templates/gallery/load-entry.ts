import { galleryTexts } from '../../texts/gallery.ts';
import { type GalleryEntry, galleryAddress } from './gallery-entries.ts';

export interface LoadedEntry {
  readonly file: Blob;
  readonly data: Readonly<Record<string, unknown>>;
  /** The mapping for electronic invoices. */
  readonly invoiceMap: object | undefined;
}

/** Loads the files of a template of the gallery. */
export async function loadEntry(entry: GalleryEntry, signal?: AbortSignal): Promise<LoadedEntry> {
  const load = async (name: string): Promise<Response | undefined> => {
    const address = galleryAddress(entry, name);
    if (address === undefined) return undefined;
    const response = await fetch(address, { signal: signal ?? null });
    if (!response.ok) throw new Error(galleryTexts.notLoaded);
    return response;
  };
  const [file, data, map] = await Promise.all(['template.docx', 'data.json', 'invoice.map.json'].map(load));
  if (file === undefined || data === undefined) throw new Error(galleryTexts.notLoaded);
  return {
    file: await file.blob(),
    data: (await data.json()) as Readonly<Record<string, unknown>>,
    invoiceMap: (await map?.json()) as object | undefined,
  };
}
