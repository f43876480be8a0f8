import type { ErrorData } from '../../server/trpc.js';

/** Behaves like a browser to the service: it keeps cookies by path, and calls procedures over HTTP. */
export type CookieBrowser = {
  /** Calls a mutation; `error` is what the app would read. */
  call(procedure: string, input?: unknown, token?: string): Promise<BrowserAnswer>;
  /** Names of the cookies that it keeps. */
  cookieNames(): string[];
  /** The `Set-Cookie` headers so far. */
  readonly setCookies: string[];
};

// What procedures answer is typed where they are called directly.
// oxlint-disable-next-line typescript/no-explicit-any
export type BrowserAnswer = { status: number; data: any; error: ErrorData | undefined };

type Cookie = { value: string; path: string };

export function createCookieBrowser(url: string): CookieBrowser {
  const jar = new Map<string, Cookie>();
  const setCookies: string[] = [];

  function keep(header: string): void {
    setCookies.push(header);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    const path = /;\s*Path=([^;]+)/i.exec(header)?.[1] ?? '/';
    if (/;\s*Max-Age=0/i.test(header)) jar.delete(name);
    else jar.set(name, { value, path });
  }

  return {
    setCookies,
    cookieNames: () => [...jar.keys()],
    async call(procedure, input = {}, token) {
      const path = `/trpc/${procedure}`;
      const cookies = [...jar].filter(([, cookie]) => path === cookie.path || path.startsWith(`${cookie.path}/`));
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Cookie: cookies.map(([name, { value }]) => `${name}=${value}`).join('; '),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(input),
      });
      for (const header of answer.headers.getSetCookie()) keep(header);
      const body = (await answer.json()) as { result?: { data: unknown }; error?: { data: { error: ErrorData } } };
      return { status: answer.status, data: body.result?.data, error: body.error?.data.error };
    },
  };
}
