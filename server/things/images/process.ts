/** The program that decodes uploaded images for `encoder.ts`. It has no settings and no connections. */
import sharp from 'sharp';
import { serveWork } from '../../kernel/limited-process/serve.js';
import { encodeImage } from './encode.js';

sharp.cache(false);
sharp.concurrency(1);
serveWork(encodeImage);
