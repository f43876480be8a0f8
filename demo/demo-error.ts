/** What is told to whoever runs the demo, in words, without a stack. */
export class DemoError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DemoError';
  }
}
