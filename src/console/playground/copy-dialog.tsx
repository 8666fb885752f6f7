import { useState } from 'preact/hooks';
import { playgroundTexts } from '../texts/playground.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Segments } from '../ui/segments.tsx';
import { type CodeLanguage, type CopiedRequest, codeFor, codeLanguages } from './copy-as.ts';

interface CopyDialogProps {
  readonly request: CopiedRequest;
  readonly onClose: () => void;
}

/** The guide pages that explain how to install what the code needs. */
const guides = {
  typescript: 'typescript.html',
  python: 'python.html',
  cli: 'command-line.html#install',
} as const;

/** The request as code ready to paste; the key is a variable. */
export function CopyDialog({ request, onClose }: CopyDialogProps) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const code = codeFor(language, request);
  return (
    <Dialog title={playgroundTexts.copyAs} isLarge onClose={onClose}>
      <Segments
        label={playgroundTexts.language}
        value={language}
        options={codeLanguages.map((one) => [one, playgroundTexts.languages[one]] as const)}
        onSelect={setLanguage}
      />
      <p class="muted small">
        {playgroundTexts.copyText[language]}{' '}
        {language !== 'curl' && (
          <a href={`${request.serviceUrl}/guide/guides/${guides[language]}`} target="_blank" rel="noopener">
            {playgroundTexts.howToInstall}
          </a>
        )}
      </p>
      {/* Scrollable, so the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the same */}
      <section class="code" tabIndex={0} aria-label={playgroundTexts.languages[language]}>
        <pre>{code}</pre>
      </section>
      <footer>
        <CopyButton text={code} />
      </footer>
    </Dialog>
  );
}
