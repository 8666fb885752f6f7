import type { LucideIcon } from 'lucide-preact';
import { Menu, Monitor, Moon, Sun, X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { shellTexts } from '../texts/shell.ts';
import { brand } from '../ui/brand.ts';
import { IconButton } from '../ui/button.tsx';
import { chooseTheme, theme } from './theme.ts';
import { useKeptScroll } from './use-kept-scroll.ts';

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
const themeIcons = { system: Monitor, light: Sun, dark: Moon };

export interface NavigationEntry {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

interface FrameProps {
  /** The page to which the name at the top leads. */
  readonly home: string;
  readonly entries: readonly NavigationEntry[];
  readonly isCurrent: (path: string, entry: NavigationEntry) => boolean;
  /** Beside the name at the top. */
  readonly tools?: ComponentChildren;
  /** Links below the navigation. */
  readonly links?: ComponentChildren;
  /** The button that signs out. */
  readonly signOut: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A bar, a navigation that is a menu on narrow screens, and the content. */
export function Frame({ home, entries, isCurrent, tools, links, signOut, children }: FrameProps) {
  const [path] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLSpanElement>(null);
  const shownPath = useRef(path);
  useKeptScroll();
  // Runs before the page is painted, so that the focus never leaves a field that the user has begun to type in.
  useLayoutEffect(() => {
    setIsOpen(false);
    // On load, and when the start page redirects, the focus stays at the top.
    if (shownPath.current !== path && shownPath.current !== '/') main.current?.focus({ preventScroll: true });
    shownPath.current = path;
  }, [path]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (): void => setIsOpen(false);
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      close();
      menuButton.current?.querySelector('button')?.focus();
    };
    // Wider screens have no menu to close.
    const wide = matchMedia('(min-width: 52.01rem)');
    wide.addEventListener('change', close);
    addEventListener('keydown', closeByKey);
    return () => {
      wide.removeEventListener('change', close);
      removeEventListener('keydown', closeByKey);
    };
  }, [isOpen]);
  // Also runs for links to the current page.
  const leaveMenu = (): void => {
    if (!isOpen) return;
    setIsOpen(false);
    requestAnimationFrame(() => main.current?.focus({ preventScroll: true }));
  };
  const ThemeIcon = themeIcons[theme.value];
  return (
    <div class="layout" data-menu={isOpen}>
      <a class="skip" href="#content">
        {shellTexts.skip}
      </a>
      <header class="bar">
        <Link class="brand" href={home}>
          <img src={brand.iconUrl} alt="" width="26" height="26" />
          {brand.name}
        </Link>
        <span class="bar-space" />
        {tools}
        <span class="menu-button" ref={menuButton}>
          <IconButton
            label={isOpen ? shellTexts.closeMenu : shellTexts.openMenu}
            aria-expanded={isOpen}
            aria-controls="menu"
            icon={isOpen ? <X /> : <Menu />}
            onClick={() => setIsOpen(!isOpen)}
          />
        </span>
      </header>
      <div class="side" id="menu">
        <nav aria-label={shellTexts.navigation}>
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                <Link href={entry.path} aria-current={isCurrent(path, entry) ? 'page' : undefined} onClick={leaveMenu}>
                  <entry.icon aria-hidden="true" />
                  {entry.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <footer class="side-foot">
          {links}
          <div class="side-buttons">
            <IconButton
              label={`${shellTexts.theme}: ${shellTexts.themes[theme.value]}`}
              icon={<ThemeIcon />}
              onClick={() => chooseTheme(nextTheme[theme.value])}
            />
            {signOut}
          </div>
        </footer>
      </div>
      <main id="content" ref={main} tabIndex={-1} inert={isOpen}>
        {children}
      </main>
    </div>
  );
}
