import type { Transporter } from 'nodemailer';
import { withDeadline } from '../../kernel/deadline.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';

export type MailAttachment = { filename: string; contentType: string; content: Buffer };

/** A mail to one person, as plain text and as HTML. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Stops further mails of this kind by a POST request to it, without signing in. */
  stopUrl?: string;
  attachments?: readonly MailAttachment[];
};

export type Mailer = {
  /** Resolves once the mail server has accepted the mail, and rejects with the reason otherwise. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

const connectionsMax = 2;
const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 20_000;
/**
 * The time limit of a mail, from the wait for a connection to its acceptance. A limit on silence would not stop a
 * server that sends a byte now and then.
 */
const sendTimeoutMs = 30_000;

/** Loads the mail library with the first mail, so that a start need not wait for it, and opens its transport. */
async function openTransport(smtpUrl: string, name: string | undefined): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    // The name in EHLO. Many mail servers reject a name without a domain, such as the name of a container (RFC 5321, 4.1.1.1).
    ...(name !== undefined && { name }),
    pool: true,
    maxConnections: connectionsMax,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Returns an object, so that a colon or a comma in the name does not begin another address. */
function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*?)\s*<([^<>]+)>$/.exec(from) ?? [];
  return { name: name.replace(/^"(.*)"$/, '$1'), address };
}

/** Returns the headers with which mail programs show a button that stops the mails (RFC 2369, RFC 8058). */
function stopHeaders(url: string): Record<string, string> {
  // RFC 8058, 3.1: only HTTPS works with one click.
  const isOneClick = url.startsWith('https:');
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(isOneClick && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** Creates the SMTP client. Connections are opened on first use and kept. */
export function createMailer({ smtpUrl, from, hostName }: NonNullable<Settings['mail']>): Mailer {
  let transport: Promise<Transporter> | undefined;

  return {
    async send({ to, subject, text, html, stopUrl, attachments = [] }) {
      transport ??= openTransport(smtpUrl, hostName);
      const opened = await transport;
      // The signal closes the connection of a mail that does not end, which would otherwise be kept forever.
      await withDeadline({ what: 'the mail server', ms: sendTimeoutMs }, (signal) =>
        opened.sendMail({
          from: senderOf(from),
          // An object, so that the address is never parsed as a list of recipients.
          to: { name: '', address: to },
          subject,
          text,
          html,
          attachments: [...attachments],
          headers: { 'Auto-Submitted': 'auto-generated', ...(stopUrl !== undefined && stopHeaders(stopUrl)) },
          signal,
        }),
      );
    },
    close: () => void transport?.then((opened) => opened.close()),
  };
}

/** How long a person waits for the mail server. A mail that it accepts later is still sent. */
const waitTimeoutMs = 8000;

/** Sends a mail while the person waits. The link in the mail is not stored, so no job could send it later. */
export async function mailAtOnce(
  { mailer, log }: { mailer: Mailer; log: Log },
  mail: Mail,
): Promise<'sent' | 'failed'> {
  try {
    await withDeadline({ what: 'the mail server', ms: waitTimeoutMs }, () => mailer.send(mail));
    return 'sent';
  } catch (error) {
    log.warn({ err: error }, 'a mail that somebody waits for could not be sent');
    return 'failed';
  }
}
