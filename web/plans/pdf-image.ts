import { getDocument, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm?url';
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm?url';
import qcms from 'pdfjs-dist/wasm/qcms_bg.wasm?url';
import { imageBytesMax } from '../api/files.js';

/** The longest side of the image in pixels, equal to the longest side that the service stores for a plan. */
const sidePx = 4096;
const jpegQuality = 0.9;

/** Decoders for images in a PDF, which most PDFs do not need. */
const decoders: Readonly<Record<string, string>> = {
  'jbig2.wasm': jbig2,
  'openjpeg.wasm': openjpeg,
  'qcms_bg.wasm': qcms,
};

/** Provides the library with files by name. Fonts that are not embedded are replaced with system fonts. */
function createDataFactory() {
  return {
    async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
      const url = decoders[filename];
      if (url === undefined) throw new Error(`${filename} is not part of the app`);
      return new Uint8Array(await (await fetch(url)).arrayBuffer());
    },
  };
}

/**
 * Draws the first page of a PDF, on white.
 *
 * @throws an error of the library if the file is damaged, is not a PDF, or has a password
 */
export async function imageOfPdf(file: Blob): Promise<Blob> {
  const port = new Worker(new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url), { type: 'module' });
  const worker = PDFWorker.create({ port });
  const loading = getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    worker,
    BinaryDataFactory: createDataFactory,
    wasmUrl: '/',
    useWorkerFetch: false,
  });
  try {
    const page = await (await loading.promise).getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: sidePx / Math.max(width, height) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    await page.render({ canvas, viewport, background: '#ffffff' }).promise;
    const exact = await blobOf(canvas, 'image/png');
    return exact.size > imageBytesMax ? await blobOf(canvas, 'image/jpeg') : exact;
  } finally {
    await loading.destroy();
    worker.destroy();
    port.terminate();
  }
}

function blobOf(canvas: HTMLCanvasElement, type: 'image/png' | 'image/jpeg'): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('the page is too large to be drawn')));
    canvas.toBlob(take, type, jpegQuality);
  });
}
