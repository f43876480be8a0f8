/** Which unknown tags are shown, as in the address. */
export type UnknownTagsSearch = { q?: string; reader?: number; offset?: number };

export function unknownTagsSearch(given: Record<string, unknown>): UnknownTagsSearch {
  const { q, reader, offset } = given;
  return {
    // The router parses a value of digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 255) }),
    ...(isCount(reader) && { reader }),
    ...((isCount(offset) || offset === 0) && { offset }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
