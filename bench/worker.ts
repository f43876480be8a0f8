/** What comes back for an order: a report, or why it was given up. */
export type Outcome<Report> = { readonly report: Report } | { readonly failure: string };

/**
 * Makes this process a worker: of its own, so that its processor time is nobody else's. It takes orders until its parent
 * is gone.
 */
export function serveOrders<Report>(work: (order: never) => Promise<Report>): void {
  process.on('message', (order) => {
    work(order as never).then(
      (report) => process.send?.({ report } satisfies Outcome<Report>),
      (error: unknown) => process.send?.({ failure: String(error) } satisfies Outcome<Report>),
    );
  });
  process.on('disconnect', () => process.exit());
}
