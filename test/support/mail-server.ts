import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** `text` is the mail as it was received; `bodies` are its decoded parts. */
export type ReceivedMail = {
  /** The name with which the client has greeted. */
  greeting: string;
  to: string[];
  subject: string;
  text: string;
  bodies: { text: string; html: string };
};

/** A real SMTP server, which keeps what it is given. */
export type MailServer = AsyncDisposable & {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** If set, it rejects mail, like a server with a full disk. */
  isRefusing: boolean;
  waitFor(count: number): Promise<void>;
};

export async function createMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (mailServer.isRefusing) {
          callback(Object.assign(new Error('insufficient system storage'), { responseCode: 452 }));
          return;
        }
        const text = Buffer.concat(chunks).toString('utf8');
        const subject = /^Subject: (.*(?:\r\n .*)*)/m.exec(text)?.[1] ?? '';
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({
          greeting: session.hostNameAppearsAs,
          to,
          subject,
          text,
          bodies: { text: bodyOf(text, 'text/plain'), html: bodyOf(text, 'text/html') },
        });
        callback();
        waiting = waiting.filter(({ count, resolve }) => {
          if (mails.length < count) return true;
          resolve();
          return false;
        });
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    isRefusing: false,
    waitFor: (count) =>
      mails.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}

/** The decoded body of one part of a mail. */
function bodyOf(mail: string, contentType: string): string {
  const part = mail.split(/^--[^\r\n]*\r\n/m).find((text) => text.startsWith(`Content-Type: ${contentType}`)) ?? '';
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
