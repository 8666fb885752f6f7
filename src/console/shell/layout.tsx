import { BookOpen, CircleHelp, CodeXml } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { CommandButton, CommandDialogs } from '../commands/command-dialogs.tsx';
import { serviceUrl } from '../session/addresses.ts';
import { PersonName, SignOutButton, SignOutDialogs } from '../session/person-menu.tsx';
import { isTestKey } from '../session/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { brand } from '../ui/brand.ts';
import { Frame } from './frame.tsx';
import { isBelow, openEntries } from './navigation.ts';

export function Layout({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <Frame
        home="/"
        entries={openEntries()}
        isCurrent={(path, entry) => isBelow(path, entry.path)}
        tools={<CommandButton />}
        links={<GuideLinks />}
        signOut={<SignOutButton />}
      >
        {isTestKey.value && <p class="test-banner">{shellTexts.testKey}</p>}
        {children}
      </Frame>
      <CommandDialogs />
      <SignOutDialogs />
    </>
  );
}

function GuideLinks() {
  return (
    <>
      <a href={`${serviceUrl}/guide/`}>
        <BookOpen aria-hidden="true" />
        {shellTexts.guide}
      </a>
      <a href={`${serviceUrl}/guide/api/`}>
        <CodeXml aria-hidden="true" />
        {shellTexts.reference}
      </a>
      {brand.helpUrl !== undefined && (
        <a href={brand.helpUrl}>
          <CircleHelp aria-hidden="true" />
          {shellTexts.help}
        </a>
      )}
      <PersonName />
    </>
  );
}
