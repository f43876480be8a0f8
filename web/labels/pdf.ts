import { t } from '@lingui/core/macro';
import { jsPDF } from 'jspdf';
import type { CodeShape } from './codes.js';
import { fitLines } from './fit-text.js';
import { type LabelFormat, pagesOf, cellAt } from './formats.js';
import { type Box, codeBox, layoutOf, lineHeight } from './layout.js';
import type { LabelThing } from './things.js';

const pointsPerMm = 72 / 25.4;
/** The resolution of text that is drawn as a picture. */
const pixelsPerMm = 24;

/** Returns the labels as a PDF in their true size. */
export function labelsPdf(things: readonly LabelThing[], format: LabelFormat, firstCell: number): Blob {
  const { width, height } = format.page;
  const pdf = new jsPDF({
    unit: 'mm',
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    compress: true,
    putOnlyUsedFonts: true,
  });
  pdf.setProperties({ title: t`Labels`, creator: 'Whereabouts' });
  pagesOf(things, format, firstCell).forEach((cells, page) => {
    if (page > 0) pdf.addPage([width, height], width > height ? 'landscape' : 'portrait');
    cells.forEach((thing, cell) => {
      if (thing) drawLabel(pdf, thing, { format, at: cellAt(format, cell) });
    });
  });
  return pdf.output('blob');
}

type Spot = { format: LabelFormat; at: { x: number; y: number } };

function drawLabel(pdf: jsPDF, thing: LabelThing, { format, at }: Spot): void {
  const { code, text, nameSize, keySize, nameLines, tagLines } = layoutOf(format, thing.kind);
  const shape = thing.shape();
  if (shape) drawCode(pdf, shape, moved(codeBox(code, thing.kind, shape), at));
  const box = moved(text, at);
  let used = drawText(pdf, thing.name, { box, size: nameSize, lines: nameLines });
  for (const [line, lines] of [
    [thing.externalKey, 1],
    [thing.tag ?? '', tagLines],
  ] as const) {
    used += drawText(pdf, line, { box: { ...box, y: box.y + used, height: box.height - used }, size: keySize, lines });
  }
}

function moved(box: Box, at: { x: number; y: number }): Box {
  return { ...box, x: box.x + at.x, y: box.y + at.y };
}

function drawCode(pdf: jsPDF, shape: CodeShape, box: Box): void {
  const x = (value: number) => box.x + (value / shape.width) * box.width;
  const y = (value: number) => box.y + (value / shape.height) * box.height;
  pdf.setFillColor(0, 0, 0);
  for (const outline of shape.outlines) {
    outline.forEach(([px, py], index) => (index === 0 ? pdf.moveTo(x(px), y(py)) : pdf.lineTo(x(px), y(py))));
    pdf.close();
  }
  pdf.fillEvenOdd();
}

type TextArea = { box: Box; size: number; lines: number };

/**
 * Draws a text and returns its height. The PDF's own fonts only have Latin script; other scripts are drawn as a
 * picture.
 */
function drawText(pdf: jsPDF, text: string, area: TextArea): number {
  return /^[\x20-\x7E\xA0-\xFF]*$/.test(text) ? drawLatin(pdf, text, area) : drawPicture(pdf, text, area);
}

function drawLatin(pdf: jsPDF, text: string, { box, size, lines }: TextArea): number {
  pdf.setFont('helvetica', 'normal');
  pdf.setFontSize(size * pointsPerMm);
  pdf.setTextColor(0, 0, 0);
  const fitted = fitLines(text, (part) => pdf.getTextWidth(part.replace('…', '...')), { width: box.width, lines });
  fitted.forEach((line, index) => {
    pdf.text(line.replace('…', '...'), box.x, box.y + size * (0.9 + index * lineHeight));
  });
  return fitted.length * size * lineHeight;
}

const rightToLeft = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

function drawPicture(pdf: jsPDF, text: string, { box, size, lines }: TextArea): number {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return 0;
  const font = `${size * pixelsPerMm}px 'Inter Variable', system-ui, sans-serif`;
  context.font = font;
  const width = box.width * pixelsPerMm;
  const fitted = fitLines(text, (part) => context.measureText(part).width, { width, lines });
  canvas.width = Math.ceil(width);
  canvas.height = Math.ceil(fitted.length * size * lineHeight * pixelsPerMm);
  const isRightToLeft = rightToLeft.test(text);
  // Changing the size of the canvas has reset the font.
  context.font = font;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  context.direction = isRightToLeft ? 'rtl' : 'ltr';
  context.textAlign = 'start';
  context.textBaseline = 'alphabetic';
  fitted.forEach((line, index) => {
    context.fillText(line, isRightToLeft ? canvas.width : 0, size * (0.9 + index * lineHeight) * pixelsPerMm);
  });
  const height = canvas.height / pixelsPerMm;
  pdf.addImage(canvas, 'PNG', box.x, box.y, box.width, height, undefined, 'FAST');
  return height;
}
