/** The pages that links in emails lead to. */
const mailedPages = ['join', 'reset-password', 'confirm', 'stop-email'] as const;

export type MailedPage = (typeof mailedPages)[number];

export type MailedLink = {
  page: MailedPage;
  /** Null if the link is incomplete. */
  token: string | null;
};

/** 256 random bits, the tokens of invitations and password links. */
const randomToken = /(?<![\w-])[\w-]{43}(?![\w-])/;
/** An encrypted JWT without an encrypted key, whose initialization vector and authentication tag have these lengths. */
const sealedToken = /(?<![\w-])eyJ[\w-]*\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}(?![\w-])/;

const shapes: Record<MailedPage, RegExp> = {
  join: randomToken,
  'reset-password': randomToken,
  confirm: sealedToken,
  'stop-email': sealedToken,
};

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  num: '#',
  '#35': '#',
  '#x23': '#',
  '#61': '=',
};

/**
 * Returns the page and the token of a link that mail programs and gateways may have changed. They encode the `#`, append parameters,
 * punctuation or brackets, write `=3D` and line breaks of quoted-printable texts into it, or add spaces.
 *
 * @param address - path, query and fragment
 * @returns undefined if it does not lead to one of these pages
 */
export function mailedLinkOf(address: string): MailedLink | undefined {
  const text = decoded(address);
  const start = /^\/+(join|reset-password|confirm|stop-email)(?![\w-])/i.exec(text);
  const page = mailedPages.find((name) => name === start?.[1]?.toLowerCase());
  if (!start || !page) return undefined;
  const rest = text.slice(start[0].length);
  return { page, token: tokenIn(rest, shapes[page]) };
}

function tokenIn(text: string, shape: RegExp): string | null {
  const unquoted = text.replaceAll(/=([2-7][0-9A-F])/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  // A quoted-printable line break leaves an equals sign, and some programs lose the equals sign of `=3D`. Underscores
  // around a link are markup.
  const readings = [text, unquoted, text.replaceAll('=', ''), unquoted.replaceAll('=', '')];
  const trimmed = [
    ...readings,
    ...readings.map((reading) => reading.replaceAll(/#3D/gi, '#')),
    text.replace(/[_-]+$/, ''),
  ];
  for (const reading of trimmed) {
    const token = shape.exec(reading)?.[0];
    if (token !== undefined && isOfBothCases(token)) return token;
  }
  return null;
}

/** A program has changed a token that has only capitals or only small letters, since a random token has both. */
function isOfBothCases(token: string): boolean {
  return /[a-z]/.test(token) && /[A-Z]/.test(token);
}

/**
 * Decodes percent-encoding of ASCII characters, at most twice, and HTML entities. Removes characters that an address
 * cannot contain.
 */
function decoded(address: string): string {
  let text = address;
  for (let round = 0; round < 2; round += 1) {
    text = text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  }
  return text
    .replaceAll(/&(#?\w+);/g, (entity, name: string) => entities[name.toLowerCase()] ?? entity)
    .replaceAll(/%(?:C2%A0|C2%AD|E2%80%8[B-F]|EF%BB%BF)|[\s\p{Cc}\p{Cf}]/giu, '');
}

/** Returns the address that the app opens for a link from an email; undefined for any other address. */
export function repairedAddress(address: string): string | undefined {
  const link = mailedLinkOf(address);
  return link && `/${link.page}${link.token === null ? '' : `#${link.token}`}`;
}
