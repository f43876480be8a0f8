import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = { to: string[]; subject: string; text: string };

/** A real SMTP server, which keeps what it is given. */
export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Set to refuse what comes, as a server does whose disk is full. */
  isRefusing: boolean;
  waitFor(count: number): Promise<void>;
}

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
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), subject, text });
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
