/** The answer to an order: a report, or the reason of a failure. */
export type Outcome<Report> = { readonly report: Report } | { readonly failure: string };

/**
 * Makes this process a worker, so that its processor time is measured separately. It handles orders until its parent
 * ends.
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
