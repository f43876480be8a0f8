/** What a program sends: once when it is ready, then for each piece of work. */
export type Reply<Result> = {
  /** The processor time of the process until now. */
  processorMs: number;
  outcome?: { result: Result } | { error: string };
};

/** Does the work that `createLimitedProcess` sends to this program, one piece at a time. */
export function serveWork<Result>(work: (given: never) => Result | Promise<Result>): void {
  function reply(outcome?: { result: Result } | { error: string }): void {
    const { user, system } = process.cpuUsage();
    process.send?.({ processorMs: (user + system) / 1000, ...(outcome && { outcome }) } satisfies Reply<Result>);
  }

  async function take(given: unknown): Promise<void> {
    try {
      reply({ result: await work(given as never) });
    } catch (error) {
      reply({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  // The service ends this process when it stops. The signals of a terminal or of systemd reach all processes and must not
  // end it before, because what was accepted is still being stored.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', (given) => void take(given));
  reply();
}
