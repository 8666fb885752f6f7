/** Grey lines shown until the picture of a page loads. */
export function PagePlaceholder() {
  return (
    <span class="page-placeholder" aria-hidden="true">
      {[60, 100, 92, 97, 45, 0, 100, 88, 94, 70].map((width, line) => (
        <span key={`${line}-${width}`} style={{ width: `${width}%` }} />
      ))}
    </span>
  );
}
