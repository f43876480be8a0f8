import { domainToASCII } from 'node:url';

const charactersMax = 253;
const labelShape = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * Domains of public email services. No customer could publish the DNS record that proves such a domain. They are listed
 * so that the message can explain this.
 */
const publicDomains: ReadonlySet<string> = new Set(
  `126.com 163.com aol.com bigpond.com bk.ru bluewin.ch btinternet.com comcast.net duck.com email.com fastmail.com fastmail.fm
   foxmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk
   hotmail.com hotmail.de hotmail.fr hotmail.it hushmail.com icloud.com inbox.lv inbox.ru laposte.net libero.it list.ru
   live.co.uk live.com live.nl mac.com mail.com mail.ru mailbox.org mailinator.com me.com msn.com naver.com onet.pl orange.fr
   outlook.com outlook.de outlook.fr pm.me posteo.de proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com
   rocketmail.com seznam.cz sfr.fr sina.com sky.com t-online.de terra.com.br tuta.io tutanota.com verizon.net wanadoo.fr web.de
   wp.pl ya.ru yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it
   yandex.com yandex.ru ymail.com zoho.com`.split(/\s+/),
);

/** `domainToASCII` parses the text as the host of a URL: it decodes `%61`, and ignores everything after a slash. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * Returns a host name in the form in which host names are compared (lower case, ASCII). It may have no periods. Returns
 * undefined for any other text, IP addresses included.
 */
export function asciiHostName(text: string): string | undefined {
  if (!domainCharacters.test(text)) return undefined;
  const domain = domainToASCII(text).toLowerCase();
  const labels = domain.split('.');
  const isHostName =
    domain.length <= charactersMax &&
    labels.every((label) => labelShape.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isHostName ? domain : undefined;
}

/** Returns a domain in the form in which domains are compared (lower case, ASCII); undefined for any other text. */
export function normalizedDomain(text: string): string | undefined {
  const domain = asciiHostName(text.trim().replace(/^@/, ''));
  return domain?.includes('.') ? domain : undefined;
}

/** Returns the domain of an email address; undefined if the domain could not be verified. */
export function domainOfEmail(email: string): string | undefined {
  return normalizedDomain(email.slice(email.lastIndexOf('@') + 1));
}

export function isPublicDomain(domain: string): boolean {
  return publicDomains.has(domain);
}
