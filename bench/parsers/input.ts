/** The longest message of a reader; every parser is measured with this length, whatever its own limit is. */
export const inputBytes = 256 * 1024;

/** An input as a part that is repeated between a beginning and an end; a character stands for a byte. */
export type Input = { head: string; unit: string; tail: string };

/** Returns the bytes of an input with the part repeated as often as the length allows. */
export function bytesOf({ head, unit, tail }: Input): Buffer {
  const room = Math.max(0, inputBytes - head.length - tail.length);
  const text = head + unit.repeat(unit === '' ? 0 : Math.floor(room / unit.length)) + tail;
  return Buffer.from(text.slice(0, inputBytes), 'latin1');
}

/** Returns an input that a sender with too small a buffer, or a closed connection, cuts. */
export function cutInput(input: Input): Input {
  const middle = Math.ceil(input.unit.length / 2);
  return { ...input, tail: input.unit.slice(0, middle) };
}
