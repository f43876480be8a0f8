/**
 * Returns a text of at most `charactersMax` UTF-16 units unchanged. For a longer text, returns its beginning and its
 * length.
 */
export function truncate(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax).toWellFormed()}… (${text.length} characters)`;
}
