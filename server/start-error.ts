/** A start that cannot go on for a reason which the operator can act on: the message is all there is to print. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** The system's code of an error (`ENOENT`, `EADDRINUSE`), where it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
