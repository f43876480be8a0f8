/**
 * `npm run pictures`: takes the pictures of the README with a service that is filled for them, into `docs/pictures/`.
 * `npm run pictures -- review FOLDER [PAGE …]` instead takes every page in every size and color, for review.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { root } from './prepare.mjs';
import { prepareApp } from './prepare-app.mjs';

prepareApp();
// Imported only now that everything they need is built.
const { takePictures, takeReview } = await import('./pictures/take.mjs');

const [mode, folder, ...names] = process.argv.slice(2);
if (mode === 'review') {
  const output = path.resolve(folder ?? 'review');
  await mkdir(output, { recursive: true });
  await takeReview(output, names);
} else {
  const output = path.join(root, 'docs', 'pictures');
  await mkdir(output, { recursive: true });
  await takePictures(output);
}
