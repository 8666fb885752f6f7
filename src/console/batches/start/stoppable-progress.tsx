import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';

interface StoppableProgressProps {
  readonly text: string;
  /** The completed share, from 0 to 1; undefined while it is unknown. */
  readonly share?: number | undefined;
  readonly onStop: () => void;
}

/** Work on a large file that the user can stop. */
export function StoppableProgress({ text, share, onStop }: StoppableProgressProps) {
  return (
    <div class="stoppable-progress">
      <p role="status">{text}</p>
      <progress aria-label={text} max={1} {...(share !== undefined && { value: share })} />
      <Button onClick={onStop}>{batchTexts.stop}</Button>
    </div>
  );
}
