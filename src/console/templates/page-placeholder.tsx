/** Lines of a page in grey, in the place of its picture. */
export function PagePlaceholder() {
  return (
    <span class="page-placeholder" aria-hidden="true">
      {[60, 100, 92, 97, 45, 0, 100, 88, 94, 70].map((width, line) => (
        <span key={`${line}-${width}`} style={{ width: `${width}%` }} />
      ))}
    </span>
  );
}
