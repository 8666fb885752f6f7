import { Upload } from 'lucide-preact';

/** Covers the page while a file is dragged over it. */
export function DropOverlay({ text }: { readonly text: string }) {
  return (
    <div class="drop-overlay" aria-hidden="true">
      <Upload />
      {text}
    </div>
  );
}
