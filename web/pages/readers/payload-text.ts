type Payload = { payload: string; payload_encoding: 'text' | 'base64' };

const bytesPerLine = 16;

/**
 * Returns a payload as readable text: JSON with line breaks, other text unchanged, bytes as hexadecimal digits next to
 * their text.
 */
export function payloadText({ payload, payload_encoding }: Payload): { text: string; kind: 'JSON' | 'text' | 'bytes' } {
  if (payload_encoding === 'base64') return { text: hexDump(bytesOf(payload)), kind: 'bytes' };
  try {
    return { text: JSON.stringify(JSON.parse(payload), null, 2), kind: 'JSON' };
  } catch {
    return { text: payload === '' ? '(empty)' : payload, kind: 'text' };
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
}

function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let begin = 0; begin < bytes.length; begin += bytesPerLine) {
    const line = [...bytes.subarray(begin, begin + bytesPerLine)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCodePoint(byte) : '.')).join('');
    lines.push(`${begin.toString(16).padStart(4, '0')}  ${hex.padEnd(bytesPerLine * 3)} ${text}`);
  }
  return lines.join('\n');
}
