/** Why bytes are no JSON the service takes: they break the grammar, or they nest deeper than allowed. */
export type JsonErrorKind = 'syntax' | 'depth';

/** Thrown by `parseJson`; the REST handler turns the kind into the contract's wording. */
export class JsonError extends Error {
  readonly kind: JsonErrorKind;

  constructor(kind: JsonErrorKind) {
    super(kind === 'depth' ? 'nested too deeply' : 'not valid JSON');
    this.name = 'JsonError';
    this.kind = kind;
  }
}
