/** An error whose message is written for the user of the demo and is printed without a stack trace. */
export class DemoError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DemoError';
  }
}
