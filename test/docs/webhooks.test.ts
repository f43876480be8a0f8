import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { signedHeaders } from '../../server/notifying/webhooks/sign.js';
import { readProjectFile } from './markdown.js';
import { python } from './python.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let folder: string;

beforeAll(() => {
  // Inside the project, so that the receiver in JavaScript finds the library.
  folder = mkdtempSync(path.join(projectRoot(), 'node_modules', '.receivers-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function snippet(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(readProjectFile('docs', 'webhooks.md'))?.[1];
  if (text === undefined) throw new Error(`docs/webhooks.md has no receiver in ${language}`);
  return text;
}

async function post(port: string, headers: Record<string, string>, body: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
  return answer.status;
}

test.each([
  { language: 'js', file: 'receiver.mjs', program: process.execPath },
  { language: 'python', file: 'receiver.py', program: python },
])('the receiver in $language accepts what we sign, reports an event once, and rejects the rest', async (receiver) => {
  const file = path.join(folder, receiver.file);
  writeFileSync(file, snippet(receiver.language));
  const child = spawn(receiver.program, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const port = String((await lines.next()).value).split(' ')[1] ?? '';
    const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: { name: 'Ä' } });
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const message = { id: 'evt_1', atMs: Date.now(), body };
    expect(await post(port, signedHeaders(message, [other]), body)).toBe(401);
    expect(await post(port, signedHeaders(message, [secret]), `${body} `)).toBe(401);
    // As in the overlap of a rotation: one signature of two is enough.
    expect(await post(port, signedHeaders(message, [other, secret]), body)).toBe(204);
    expect(await post(port, signedHeaders(message, [secret]), body)).toBe(204);
    expect(await post(port, signedHeaders({ ...message, id: 'evt_2' }, [secret]), body)).toBe(204);
    expect((await lines.next()).value).toBe('evt_1 webhook.test');
    expect((await lines.next()).value).toBe('evt_2 webhook.test');
  } finally {
    child.kill();
  }
});
