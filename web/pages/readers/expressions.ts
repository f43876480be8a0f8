/** Returns the expression of a value in a message: keys joined by dots, quoted where they have other characters. */
export function expressionOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const key = /^[A-Za-z_]\w*$/.test(part) ? part : JSON.stringify(part);
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
