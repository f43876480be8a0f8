/** The asset or location that a label of the service names. */
export type LabelTarget = { kind: 'asset' | 'location'; id: number };

/**
 * Returns what the address on a label names: `/a/17` or `/l/17`, alone or below the address of the service, or the address of the
 * page of an asset or a location, which people print themselves. In any case, as a keyboard with its Caps Lock on types it. Undefined
 * for any other text.
 */
export function labelTarget(text: string, baseUrl: string): LabelTarget | undefined {
  const path = pathBelow(text, baseUrl).toLowerCase();
  const [, kind, id] = /^\/(a|l|assets|locations)\/(\d{1,9})\/?$/.exec(path) ?? [];
  return kind === undefined ? undefined : { kind: kind.startsWith('a') ? 'asset' : 'location', id: Number(id) };
}

function pathBelow(text: string, baseUrl: string): string {
  if (text.startsWith('/')) return text;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return '';
  const [address, base] = [new URL(text), new URL(baseUrl)];
  // The same service may be reached with and without TLS.
  if (address.host !== base.host) return '';
  const prefix = base.pathname.replace(/\/+$/, '');
  return address.pathname.startsWith(`${prefix}/`) ? address.pathname.slice(prefix.length) : '';
}
