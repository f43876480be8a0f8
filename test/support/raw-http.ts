import { connect } from 'node:net';

/** What came back over a connection, one character a byte, and how it ended. */
export type RawAnswer = {
  text: string;
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
  error: string | undefined;
};

export type RawOptions = {
  host?: string;
  /** Ends the sending side after the last part, as a client does that goes away. */
  end?: boolean;
  /** Goes on sending after the server has ended its side. */
  halfOpen?: boolean;
};

/**
 * Sends raw bytes, for requests that no HTTP client would make, and collects everything until the server closes the
 * connection; so the last request should ask for that. Strings have one character per byte. `status`, `headers` (names
 * in lower case) and `body` are from the first answer.
 */
export function sendRaw(
  port: number,
  parts: readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let error: string | undefined;
    const socket = connect({ port, host: options.host ?? '127.0.0.1', allowHalfOpen: options.halfOpen ?? false });
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', (failure: Error & { code?: string }) => {
      error = failure.code ?? failure.message;
    });
    socket.on('close', () => resolve({ ...parseAnswer(Buffer.concat(received).toString('latin1')), error }));
    void sendParts();

    async function sendParts(): Promise<void> {
      for (const part of parts) {
        if (socket.destroyed) return;
        const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
        if (!socket.write(bytes)) await drained();
      }
      if (options.end) socket.end();
    }

    function drained(): Promise<void> {
      return new Promise((proceed) => {
        const go = () => {
          socket.off('drain', go).off('close', go);
          proceed();
        };
        socket.on('drain', go).on('close', go);
      });
    }
  });
}

function parseAnswer(text: string): Omit<RawAnswer, 'error'> {
  const headEnd = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(0, headEnd)).split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const rest = headEnd === -1 ? '' : text.slice(headEnd + 4);
  const length = headers.get('content-length');
  const body = length === undefined ? rest : rest.slice(0, Number(length));
  return { text, status: Number(statusLine.split(' ')[1] ?? 0), headers, body };
}
