import type { BrowserContext, ConsoleMessage, Request, WebError } from 'playwright-core';

/** Problems that a person would not see, but that must not happen. */
export type Problems = {
  /** Allows problems whose text matches: those that the test itself causes. */
  allow(pattern: RegExp): void;
  /** Ends watching, and throws with everything that happened and was not allowed. */
  requireNone(): void;
};

/** Watches all pages of a context: console errors, uncaught errors, requests that failed or went elsewhere. */
export function watchForProblems(context: BrowserContext, origin: string): Problems {
  const found: string[] = [];
  const allowed: RegExp[] = [];

  function onConsole(message: ConsoleMessage): void {
    if (message.type() === 'error' && !asksWhoThisIs(message) && !missesWorker(message)) {
      found.push(`console: ${message.text()} (${message.location().url})`);
    }
  }

  function onError(error: WebError): void {
    const { stack, message } = error.error();
    found.push(`uncaught: ${stack ?? message}`);
  }

  function onRequest(request: Request): void {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol.startsWith('http') && target !== origin) found.push(`request to another origin: ${request.url()}`);
  }

  function onFailure(request: Request): void {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left, or a query that is no longer needed, aborts its requests.
    if (reason !== 'net::ERR_ABORTED') found.push(`request failed: ${reason} ${request.method()} ${request.url()}`);
  }

  context.on('console', onConsole);
  context.on('weberror', onError);
  context.on('request', onRequest);
  context.on('requestfailed', onFailure);

  return {
    allow: (pattern) => void allowed.push(pattern),
    requireNone() {
      context.off('console', onConsole);
      context.off('weberror', onError);
      context.off('request', onRequest);
      context.off('requestfailed', onFailure);
      const problems = found.filter((problem) => !allowed.some((pattern) => pattern.test(problem)));
      if (problems.length > 0) throw new Error(`In the browser:\n${problems.join('\n')}`);
    },
  };
}

/** Only the service can check a cookie that scripts cannot read, and browsers log its rejection. */
function asksWhoThisIs(message: ConsoleMessage): boolean {
  return message.location().url.endsWith('/trpc/session.refresh') && message.text().includes('status of 401');
}

/** Ten seconds after its start the app keeps itself on the device, and a test may have no network just then. */
function missesWorker(message: ConsoleMessage): boolean {
  return message.text().includes('fetching the script');
}
