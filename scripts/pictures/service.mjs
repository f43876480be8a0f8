/** A separate service for the pictures, on free ports and an empty temporary database. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../prepare.mjs';

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the service, and resolves with its addresses once it answers. */
export async function startService() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-pictures-'));
  chmodSync(folder, 0o711);
  const [port, mqttPort] = [await freePort(), await freePort()];
  const env = { ...process.env, PORT: port, MQTT_PORT: mqttPort, DATA_DIR: path.join(folder, 'data') };
  delete env.DATABASE_URL;
  const child = spawn(process.execPath, [path.join(root, 'dist', 'main.js')], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (output.includes('Its data is in ')) resolve();
    });
    void ended.then(() => reject(new Error(`the service ended: ${output}`)));
  });
  return {
    url: `http://localhost:${port}`,
    mqttUrl: `mqtt://localhost:${mqttPort}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Calls procedures as a signed-in user, or without one. */
export function createCaller(url) {
  let token;
  return {
    signIn: (text) => {
      token = text;
    },
    /** Stores an image of PNG bytes. */
    async upload(kind, bytes) {
      const answer = await fetch(`${url}/files/images?kind=${kind}`, {
        method: 'POST',
        headers: { 'Content-Type': 'image/png', Authorization: `Bearer ${token}` },
        body: bytes,
      });
      if (!answer.ok) throw new Error(`upload: ${await answer.text()}`);
      return (await answer.json()).data;
    },
    async call(name, input) {
      const answer = await fetch(`${url}/trpc/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify(input),
      });
      const { result, error } = await answer.json();
      if (error) throw new Error(`${name}: ${error.message}`);
      return result.data;
    },
  };
}
