const pathCharactersMax = 512;
const anyOrigin = 'https://app.invalid';

/**
 * Returns whether a text is a path of the app, with optional query and fragment, that no browser can interpret as an
 * address elsewhere: `//host`, `/\\host` and control characters are rejected.
 */
export function isAppPath(text: string): boolean {
  if (text.length > pathCharactersMax || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return URL.canParse(text, anyOrigin) && new URL(text, anyOrigin).origin === anyOrigin;
}
