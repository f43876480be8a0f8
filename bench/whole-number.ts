/** @throws RangeError that names the option */
export function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new RangeError(`--${name} must be a whole number above zero`);
}
