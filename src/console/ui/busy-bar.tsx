interface BusyBarProps {
  readonly text: string;
  readonly hint?: string;
}

/** Progress of unknown length: an animated bar without a number. */
export function BusyBar({ text, hint }: BusyBarProps) {
  return (
    <div class="busy-bar" role="status">
      <progress aria-label={text} />
      <p>{text}</p>
      {hint !== undefined && <p class="muted small">{hint}</p>}
    </div>
  );
}
