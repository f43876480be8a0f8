/** The reader was deleted between its login and the storing of its message. */
export class ReaderGoneError extends Error {
  constructor() {
    super('the reader has been deleted');
    this.name = 'ReaderGoneError';
  }
}

/** The service is stopping or has stopped, and did not store the message. */
export class IngestionStoppedError extends Error {
  constructor() {
    super('the service is stopping');
    this.name = 'IngestionStoppedError';
  }
}
