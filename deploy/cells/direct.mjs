/**
 * `node direct.mjs <host name or port> <cell>`: directs an organization to its cell, in the running HAProxy and in its
 * map files, so that a restart keeps it. Open connections stay open. Can be repeated.
 *
 * CELL_MAPS: the folder of the map files; /etc/haproxy/cells by default.
 * HAPROXY_SOCKET: the runtime API, a path or host:port; /run/haproxy/admin.sock by default.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';

const [key = '', cell = ''] = process.argv.slice(2).map((argument) => argument.toLowerCase());
if (!/^[a-z0-9.-]+$/.test(key) || !/^[a-z0-9-]+$/.test(cell)) {
  console.error('node direct.mjs <host name or port> <cell>');
  process.exit(2);
}

const folder = process.env.CELL_MAPS ?? '/etc/haproxy/cells';
const file = path.join(folder, /^\d+$/.test(key) ? 'ports.map' : 'hosts.map');

/** Writes the entry into the map file, which is replaced as a whole. */
function writeMap() {
  const others = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && line.split(/\s+/)[0] !== key);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${[...others, `${key} ${cell}`].join('\n')}\n`);
  renameSync(draft, file);
}

/** Returns what HAProxy answers to a command: nothing if it was carried out. */
async function command(line) {
  const address = process.env.HAPROXY_SOCKET ?? '/run/haproxy/admin.sock';
  const [, host, port] = /^([^/]+):(\d+)$/.exec(address) ?? [];
  const socket = port === undefined ? connect(address) : connect(Number(port), host);
  socket.end(`${line}\n`);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
  return answer.trim();
}

writeMap();
let answer = await command(`set map ${file} ${key} ${cell}`);
if (/not found/i.test(answer)) answer = await command(`add map ${file} ${key} ${cell}`);
if (answer !== '') {
  console.error(`HAProxy: ${answer}`);
  process.exit(1);
}
