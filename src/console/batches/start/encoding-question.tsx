import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { askedEncodings, type Encoding, sampleOf } from '../file/read-text.ts';

interface EncodingQuestionProps {
  readonly file: File;
  readonly onChoice: (encoding: Encoding) => void;
}

/** Asks for the encoding of a file that does not identify it: the user compares the same words in each encoding. */
export function EncodingQuestion({ file, onChoice }: EncodingQuestionProps) {
  const { value: samples = [] } = useLoad(
    () => Promise.all(askedEncodings.map((encoding) => sampleOf(file, encoding))),
    `${file.name} ${file.size}`,
  );
  return (
    <div class="question" role="alert">
      <h3>{batchTexts.encodingTitle}</h3>
      <p class="muted">{batchTexts.encodingText}</p>
      <ul class="picker-list">
        {askedEncodings.map((encoding, index) => (
          <li key={encoding}>
            <div class="picker-name">
              <strong class="mono">{samples[index] ?? ''}</strong>
              <span class="muted small">{batchTexts.encodings[encoding]}</span>
            </div>
            <Button
              aria-label={`${batchTexts.choose}: ${batchTexts.encodings[encoding]}`}
              onClick={() => onChoice(encoding)}
            >
              {batchTexts.choose}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
