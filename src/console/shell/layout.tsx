import { BookOpen, LogOut, Menu, Monitor, Moon, Sun, X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { serviceUrl } from '../session/addresses.ts';
import { isTestKey, signOut } from '../session/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { IconButton } from '../ui/button.tsx';
import { openEntries } from './navigation.ts';
import { chooseTheme, theme } from './theme.ts';

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
const themeIcons = { system: Monitor, light: Sun, dark: Moon };

export function Layout({ children }: { readonly children: ComponentChildren }) {
  const [path] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    setIsOpen(false);
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({ preventScroll: false });
  }, [path]);
  const ThemeIcon = themeIcons[theme.value];
  return (
    <div class="layout" data-menu={isOpen}>
      <a class="skip" href="#content">
        {shellTexts.skip}
      </a>
      <header class="bar">
        <Link class="brand" href="/">
          <img src={iconUrl} alt="" width="26" height="26" />
          {shellTexts.product}
        </Link>
        <span class="menu-button">
          <IconButton
            label={isOpen ? shellTexts.closeMenu : shellTexts.openMenu}
            aria-expanded={isOpen}
            icon={isOpen ? <X /> : <Menu />}
            onClick={() => setIsOpen(!isOpen)}
          />
        </span>
      </header>
      <div class="side">
        <nav aria-label={shellTexts.navigation}>
          <ul>
            {openEntries().map(({ path: target, label, icon: Icon }) => (
              <li key={target}>
                <Link href={target} aria-current={path.startsWith(target) ? 'page' : undefined}>
                  <Icon aria-hidden="true" />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div class="side-foot">
          <a href={`${serviceUrl}/guide/`}>
            <BookOpen aria-hidden="true" />
            {shellTexts.guide}
          </a>
          <div class="side-buttons">
            <IconButton
              label={`${shellTexts.theme}: ${shellTexts.themes[theme.value]}`}
              icon={<ThemeIcon />}
              onClick={() => chooseTheme(nextTheme[theme.value])}
            />
            <IconButton label={shellTexts.signOut} icon={<LogOut />} onClick={() => signOut()} />
          </div>
        </div>
      </div>
      <main id="content" ref={main} tabIndex={-1}>
        {isTestKey.value && <p class="test-banner">{shellTexts.testKey}</p>}
        {children}
      </main>
    </div>
  );
}

const iconUrl = new URL('../icon.svg', import.meta.url).href;
