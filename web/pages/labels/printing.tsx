import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { type LabelFormat, pagesOf } from '../../labels/formats.js';
import type { LabelThing } from '../../labels/things.js';
import classes from './labels.module.css';
import { Sheet } from './sheet.js';

type PrintingProps = { things: readonly LabelThing[]; format: LabelFormat; firstCell: number };

/** The printed content instead of the page. It is rendered only when the browser prints. */
export function Printing({ things, format, firstCell }: PrintingProps) {
  const [isPrinting, setPrinting] = useState(false);
  const { width, height } = format.page;

  useEffect(() => {
    // The browser prints the page as it is when the listeners return.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);

  useEffect(() => {
    const paper = new CSSStyleSheet();
    paper.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0 }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, paper];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== paper);
    };
  }, [width, height]);

  if (!isPrinting) return null;
  return createPortal(
    <div className={classes['print']}>
      {pagesOf(things, format, firstCell).map((cells, page) => (
        <Sheet key={page} format={format} cells={cells} />
      ))}
    </div>,
    document.body,
  );
}
