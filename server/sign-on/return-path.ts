const pathCharactersMax = 512;
const anyOrigin = 'https://app.invalid';

/**
 * Whether a text is a path of the app, with a query and a fragment or without, that no browser can take for an address elsewhere:
 * `//host`, `/\\host` and control characters are none.
 */
export function isAppPath(text: string): boolean {
  if (text.length > pathCharactersMax || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return URL.canParse(text, anyOrigin) && new URL(text, anyOrigin).origin === anyOrigin;
}
