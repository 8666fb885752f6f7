import { Search } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

const typingPauseMs = 250;

/** The text that a page searches for: `?search=` of its address, so that Back and a copied address find the same. */
export function useSearchText(): string {
  return new URLSearchParams(useSearch()).get('search') ?? '';
}

/** Writes what is typed to `?search=`, after a pause of typing. */
export function SearchBox({ label }: { readonly label: string }) {
  const text = useSearchText();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => setTyped(text), [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const query = new URLSearchParams(search);
      if (value.trim() === '') query.delete('search');
      else query.set('search', value.trim());
      navigate(query.size === 0 ? path : `${path}?${query}`, { replace: true });
    }, typingPauseMs);
  };
  return (
    <search class="search-box">
      <Search aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={200}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </search>
  );
}
