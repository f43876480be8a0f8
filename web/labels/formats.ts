import { t } from '@lingui/core/macro';
/** The paper for labels; lengths are in millimeters. A roll is a page with one label. */
export type LabelFormat = {
  id: string;
  name: string;
  page: { width: number; height: number };
  label: { width: number; height: number };
  columns: number;
  rows: number;
  left: number;
  top: number;
  gapX: number;
};

const a4 = { width: 210, height: 297 };

export const labelFormats: readonly [LabelFormat, ...LabelFormat[]] = [
  {
    id: 'a4-24',
    name: t`A4 sheet, 24 labels of 70 × 37 mm`,
    page: a4,
    label: { width: 70, height: 37 },
    columns: 3,
    rows: 8,
    left: 0,
    top: 0.5,
    gapX: 0,
  },
  {
    id: 'a4-14',
    name: t`A4 sheet, 14 labels of 99.1 × 38.1 mm`,
    page: a4,
    label: { width: 99.1, height: 38.1 },
    columns: 2,
    rows: 7,
    left: 4.65,
    top: 15.15,
    gapX: 2.5,
  },
  {
    id: 'letter-30',
    name: t`Letter sheet, 30 labels of 2⅝ × 1 in (5160)`,
    page: { width: 215.9, height: 279.4 },
    label: { width: 66.675, height: 25.4 },
    columns: 3,
    rows: 10,
    left: 4.7625,
    top: 12.7,
    gapX: 3.175,
  },
  roll(50, 25),
  roll(100, 50),
];

function roll(width: number, height: number): LabelFormat {
  const size = { width, height };
  return {
    id: `roll-${width}`,
    name: t`Roll, ${width} × ${height} mm`,
    page: size,
    label: size,
    columns: 1,
    rows: 1,
    left: 0,
    top: 0,
    gapX: 0,
  };
}

export function labelsPerPage({ columns, rows }: LabelFormat): number {
  return columns * rows;
}

/** Returns where a cell on a page begins, counted from 0 along the rows. */
export function cellAt(format: LabelFormat, cell: number): { x: number; y: number } {
  const column = cell % format.columns;
  const row = Math.floor(cell / format.columns);
  return {
    x: format.left + column * (format.label.width + format.gapX),
    y: format.top + row * format.label.height,
  };
}

/** Returns labels spread over pages. The first page begins with used cells; undefined is an empty cell. */
export function pagesOf<Label>(
  labels: readonly Label[],
  format: LabelFormat,
  firstCell: number,
): (Label | undefined)[][] {
  const perPage = labelsPerPage(format);
  const cells: (Label | undefined)[] = [...Array.from({ length: firstCell % perPage }, () => undefined), ...labels];
  return Array.from({ length: Math.ceil(cells.length / perPage) }, (_, page) =>
    cells.slice(page * perPage, (page + 1) * perPage),
  );
}
