import { t } from '@lingui/core/macro';
import { pathOf } from '../../labels/codes.js';
import { type LabelFormat, cellAt } from '../../labels/formats.js';
import { type Box, codeBox, layoutOf } from '../../labels/layout.js';
import type { LabelThing } from '../../labels/things.js';
import classes from './labels.module.css';

type SheetProps = { format: LabelFormat; cells: readonly (LabelThing | undefined)[]; isOutlined?: boolean };

/** A page of labels in its true size. */
export function Sheet({ format, cells, isOutlined = false }: SheetProps) {
  const { width, height } = format.page;
  return (
    <div
      className={`${classes['sheet']} ${isOutlined ? classes['outlined'] : ''}`}
      style={{ width: `${width}mm`, height: `${height}mm` }}
    >
      {cells.map((thing, cell) => {
        const at = cellAt(format, cell);
        const { width, height } = format.label;
        return (
          <div key={cell} className={classes['label']} style={boxStyle({ ...at, width, height })}>
            {thing && <Label thing={thing} format={format} />}
          </div>
        );
      })}
    </div>
  );
}

function Label({ thing, format }: { thing: LabelThing; format: LabelFormat }) {
  const { code, text, nameSize, keySize, nameLines, tagLines } = layoutOf(format, thing.kind);
  const { kind } = thing;
  const shape = thing.shape();
  return (
    <>
      {shape && (
        <svg
          role="img"
          aria-label={kind === 'qr' ? t`QR code: ${thing.value}` : t`Barcode: ${thing.value}`}
          className={classes['code']}
          viewBox={`0 0 ${shape.width} ${shape.height}`}
          preserveAspectRatio="none"
          shapeRendering="crispEdges"
          style={boxStyle(codeBox(code, kind, shape))}
        >
          <path d={pathOf(shape)} fillRule="evenodd" fill="#000" />
        </svg>
      )}
      <div className={classes['text']} style={boxStyle(text)}>
        <div dir="auto" className={classes['name']} style={{ fontSize: `${nameSize}mm`, WebkitLineClamp: nameLines }}>
          {thing.name}
        </div>
        <div className={classes['key']} style={{ fontSize: `${keySize}mm` }}>
          {thing.externalKey}
        </div>
        {thing.tag !== undefined && (
          <div className={classes['tag']} style={{ fontSize: `${keySize}mm`, WebkitLineClamp: tagLines }}>
            {thing.tag}
          </div>
        )}
      </div>
    </>
  );
}

function boxStyle({ x, y, width, height }: Box) {
  return { left: `${x}mm`, top: `${y}mm`, width: `${width}mm`, height: `${height}mm` };
}
