interface BusyBarProps {
  readonly text: string;
  readonly hint?: string;
}

/** Work whose end is not known: a moving bar without a number. */
export function BusyBar({ text, hint }: BusyBarProps) {
  return (
    <div class="busy-bar" role="status">
      <progress aria-label={text} />
      <p>{text}</p>
      {hint !== undefined && <p class="muted small">{hint}</p>}
    </div>
  );
}
