/** Why bytes are rejected as JSON: they violate the grammar, or are nested too deeply. */
export type JsonErrorKind = 'syntax' | 'depth';

/** Thrown by `parseJson`; the REST handler converts the kind to the contract's message. */
export class JsonError extends Error {
  readonly kind: JsonErrorKind;

  constructor(kind: JsonErrorKind) {
    super(kind === 'depth' ? 'nested too deeply' : 'not valid JSON');
    this.name = 'JsonError';
    this.kind = kind;
  }
}
