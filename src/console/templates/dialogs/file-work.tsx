interface FileWorkProps {
  readonly text: string;
  readonly hint?: string;
}

/** Work on a file whose end nobody can foretell: an honest moving bar without a number. */
export function FileWork({ text, hint }: FileWorkProps) {
  return (
    <div class="file-work" role="status">
      <progress aria-label={text} />
      <p>{text}</p>
      {hint !== undefined && <p class="muted small">{hint}</p>}
    </div>
  );
}
