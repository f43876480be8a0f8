import type { BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';

/** Problems that a person would not see, but that must not happen. */
export type Problems = {
  /** Allows problems whose text matches: those that the test itself causes. */
  allow(pattern: RegExp): void;
  /** Throws with everything that happened and was not allowed. */
  requireNone(): void;
};

/** Watches all pages of a context: console errors, uncaught errors, requests that failed or went elsewhere. */
export function watchForProblems(context: BrowserContext, origin: string): Problems {
  const found: string[] = [];
  const allowed: RegExp[] = [];

  function watchPage(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' && !asksWhoThisIs(message)) {
        found.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on('pageerror', (error) => found.push(`uncaught: ${error.stack ?? error.message}`));
  }

  function watchRequest(request: Request): void {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol.startsWith('http') && target !== origin) found.push(`request to another origin: ${request.url()}`);
  }

  context.on('page', watchPage);
  context.on('request', watchRequest);
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left, or a query that is no longer needed, aborts its requests.
    if (reason !== 'net::ERR_ABORTED') found.push(`request failed: ${reason} ${request.method()} ${request.url()}`);
  });

  return {
    allow: (pattern) => void allowed.push(pattern),
    requireNone() {
      const problems = found.filter((problem) => !allowed.some((pattern) => pattern.test(problem)));
      if (problems.length > 0) throw new Error(`In the browser:\n${problems.join('\n')}`);
    },
  };
}

/** Only the service can check a cookie that scripts cannot read, and browsers log its rejection. */
function asksWhoThisIs(message: ConsoleMessage): boolean {
  return message.location().url.endsWith('/trpc/session.refresh') && message.text().includes('status of 401');
}
