import { useLocation } from 'wouter-preact';
import { useDocmill } from '../../session/session.ts';
import { galleryTexts } from '../../texts/gallery.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { copyEntry } from './copy-entry.ts';
import type { GalleryEntry } from './gallery-entries.ts';

/** Copies a template of the gallery into the account and opens its page. */
export function useCopy() {
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  return useAction(async (entry: GalleryEntry) => {
    const { id, name } = await copyEntry(docmill, entry);
    showToast(galleryTexts.copied(name));
    navigate(`/templates/${id}`);
  });
}
