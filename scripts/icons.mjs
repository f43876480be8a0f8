/** `node scripts/icons.mjs`: renders the icons of the installed app from `web/public/favicon.svg` in the browser. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installAll, prepare, root } from './prepare.mjs';
import { requireTestPrograms, withTestPrograms } from './test-programs.mjs';

prepare(installAll, () => requireTestPrograms(['chromium']));
// Imported only now that it is installed.
const { chromium } = await import('playwright-core');
process.env.PATH = withTestPrograms(process.env).PATH;

/** Devices crop a maskable icon to their own shape, and keep its middle four fifths. */
const icons = [
  { name: 'icon-192', size: 192 },
  { name: 'icon-512', size: 512 },
  { name: 'maskable-512', size: 512, isMaskable: true },
];
/** Browsers ask for `/favicon.ico` where a document names no icon, such as an image or a JSON answer. */
const icoSize = 32;

const mark = await readFile(path.join(root, 'web', 'public', 'favicon.svg'), 'utf8');
const folder = path.join(root, 'web', 'public', 'icons');
await mkdir(folder, { recursive: true });
const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const { name, size, isMaskable = false } of icons) {
  await writeFile(path.join(folder, `${name}.png`), await draw(size, isMaskable));
}
await writeFile(path.join(root, 'web', 'public', 'favicon.ico'), icoOf(await draw(icoSize, false)));
await browser.close();

async function draw(size, isMaskable) {
  await page.setViewportSize({ width: size, height: size });
  const edge = isMaskable ? size * 0.1 : 0;
  const color = isMaskable ? '#0b5f70' : 'transparent';
  await page.setContent(`<style>
    body { margin: 0; padding: ${edge}px; background: ${color}; }
    svg { display: block; width: ${size - 2 * edge}px; }
  </style>${mark}`);
  return page.screenshot({ omitBackground: true });
}

/** Returns an ICO file with one PNG image: a header, a directory of one entry, and the image. */
function icoOf(png) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(icoSize, 6);
  header.writeUInt8(icoSize, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
