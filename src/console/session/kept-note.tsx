import { useState } from 'preact/hooks';
import { sessionTexts } from '../texts/session.ts';
import { Button } from '../ui/button.tsx';
import { countKept, forgetEverything } from './kept-data.ts';

/** Lets anybody remove the data that users kept on this computer, even without a key. */
export function KeptNote() {
  const [count, setCount] = useState(countKept);
  if (count === 0) return null;
  return (
    <div class="kept-note small">
      <p class="muted">{sessionTexts.kept(count)}</p>
      <Button
        onClick={() => {
          forgetEverything();
          setCount(0);
        }}
      >
        {sessionTexts.forget}
      </Button>
    </div>
  );
}
