import type { Docmill } from '@docmill/client';

type Query = Readonly<Record<string, string | number | undefined>>;

/** The entries of a list, page by page; the next page is the one that the `Link` header names (RFC 8288). */
export async function* listPages(
  docmill: Docmill,
  path: string,
  { query, signal }: { readonly query: Query; readonly signal: AbortSignal },
): AsyncGenerator<unknown> {
  let next: Query | undefined = query;
  while (next !== undefined) {
    const page: { readonly entries: unknown; readonly next: Query | undefined } = await docmill.send(
      'GET',
      path,
      { query: next, signal },
      async (response) => ({ entries: await response.json(), next: nextQuery(response.headers.get('Link')) }),
    );
    if (Array.isArray(page.entries)) yield* page.entries;
    next = page.next;
  }
}

/** Only the query is used: behind a proxy the address may be another than the one that the client has. */
function nextQuery(link: string | null): Query | undefined {
  const target = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (target === undefined || !URL.canParse(target, 'http://localhost')) return undefined;
  return Object.fromEntries(new URL(target, 'http://localhost').searchParams);
}
