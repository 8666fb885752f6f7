interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of the answer, after redirects. */
  readonly address: URL;
  json<T>(): T;
}

/** A browser as far as sign-ins need one: it keeps cookies by host and follows redirects. */
export interface Visitor {
  /** One request, whose redirect is not followed. */
  call(address: string | URL, init?: RequestInit): Promise<Reply>;
  /** Follows redirects until `isEnd`, or until an answer is none. Every address is passed to `isEnd` before it is opened. */
  follow(address: string | URL, isEnd?: (next: URL) => boolean): Promise<Reply>;
  /** The cookies by name, for every host. */
  readonly cookies: Map<string, Map<string, string>>;
}

const maxRedirects = 20;

export function createVisitor(): Visitor {
  const cookies = new Map<string, Map<string, string>>();
  const call: Visitor['call'] = async (address, init = {}) => {
    const url = new URL(address);
    const own = cookies.get(url.hostname) ?? new Map<string, string>();
    cookies.set(url.hostname, own);
    const headers = new Headers(init.headers);
    if (own.size > 0) headers.set('Cookie', [...own].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) own.delete(name);
      else own.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, address: url, json: () => JSON.parse(text) };
  };
  return {
    cookies,
    call,
    async follow(address, isEnd = () => false) {
      let reply = await call(address);
      for (let count = 0; count < maxRedirects; count++) {
        const location = reply.headers.get('Location');
        if (location === null) return reply;
        const next = new URL(location, reply.address);
        if (isEnd(next)) return { ...reply, address: next };
        reply = await call(next);
      }
      throw new Error('too many redirects');
    },
  };
}
