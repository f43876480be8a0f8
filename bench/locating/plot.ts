import type { WorldOutcome } from './run-all.js';
import { measuresOf } from './score.js';

const size = { width: 960, left: 350, right: 40, top: 84, bottom: 56, row: 40 };
const ink = '#1f2933';
const grid = '#d9dee4';

/** Colors and shapes differ, so the plot can be read without telling colors apart. */
const series: Readonly<Record<string, { color: string; shape: Shape }>> = {
  latest: { color: '#b45309', shape: 'triangle' },
  strongest: { color: '#6b7280', shape: 'square' },
  edgex: { color: '#7c3aed', shape: 'diamond' },
  strongest20: { color: '#111827', shape: 'ring' },
  smooth: { color: '#be123c', shape: 'cross' },
  evidence: { color: '#0369a1', shape: 'circle' },
  'evidence+3': { color: '#15803d', shape: 'plus' },
};

type Shape = 'triangle' | 'square' | 'diamond' | 'ring' | 'circle' | 'plus' | 'cross';

const ticks = [0, 50, 80, 90, 95, 98, 99, 99.5, 99.9];
const truthMax = 99.95;

/**
 * Returns an SVG document that shows the truth of each decider by world. The axis is logarithmic in what is missing to
 * 100 %, because 99 % and 98 % differ as much as 90 % and 80 %.
 */
export function plotTruth(results: readonly WorldOutcome[]): string {
  const { width, left, top, bottom, row } = size;
  const height = top + row * results.length + bottom;
  const used = Object.keys(series).filter((name) =>
    results.some(({ outcomes }) => outcomes.some(({ contender }) => contender.name === name)),
  );
  const titles = new Map(
    results.flatMap(({ outcomes }) => outcomes.map(({ contender }) => [contender.name, contender.title] as const)),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="${ink}" role="img" aria-labelledby="title">`,
    '<title id="title">Share of time at which the reported location is right, by world and decider</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="20" y="28" font-size="16" font-weight="600">Share of time at which the reported location is right</text>`,
    ...used.map((name, i) => legendEntry(name, titles.get(name) ?? name, 20 + i * 132)),
    ...ticks.map((percent) => tick(percent, height)),
    `<text x="${(left + width - size.right) / 2}" y="${height - 14}" text-anchor="middle">% of the time in covered locations (logarithmic in what is missing to 100 %)</text>`,
    ...results.flatMap((result, i) => rowOf(result, top + row * i + row / 2)),
    '</svg>',
    '',
  ].join('\n');
}

function xOf(truthPercent: number): number {
  const { width, left, right } = size;
  const bounded = Math.max(0, Math.min(truthMax, truthPercent));
  const share = Math.log(1 - bounded / 100) / Math.log(1 - truthMax / 100);
  return Math.round((left + share * (width - left - right)) * 10) / 10;
}

function tick(percent: number, height: number): string {
  const x = xOf(percent);
  return [
    `<line x1="${x}" y1="${size.top}" x2="${x}" y2="${height - size.bottom}" stroke="${grid}"/>`,
    `<text x="${x}" y="${height - size.bottom + 18}" text-anchor="middle">${percent}</text>`,
  ].join('');
}

function legendEntry(name: string, title: string, x: number): string {
  return `${marker(name, x + 6, 54)}<text x="${x + 18}" y="58">${escapeText(title)}</text>`;
}

function rowOf({ name, title, outcomes }: WorldOutcome, y: number): string[] {
  const points = outcomes.map(({ contender, score }) => {
    const { truthPercent } = measuresOf(score);
    return Number.isNaN(truthPercent) ? '' : marker(contender.name, xOf(truthPercent), y);
  });
  return [
    `<line x1="${size.left}" y1="${y}" x2="${size.width - size.right}" y2="${y}" stroke="${grid}"/>`,
    `<text x="20" y="${y + 4}"><tspan font-weight="600">${escapeText(name)}</tspan> ${escapeText(title)}</text>`,
    ...points.filter((point) => point !== ''),
  ];
}

function marker(name: string, x: number, y: number): string {
  const { color, shape } = series[name] ?? { color: ink, shape: 'circle' };
  const drawn: Record<Shape, string> = {
    triangle: `<path d="M${x} ${y - 6}l6 11h-12z" fill="${color}"/>`,
    square: `<path d="M${x - 5} ${y - 5}h10v10h-10z" fill="${color}"/>`,
    diamond: `<path d="M${x} ${y - 7}l7 7l-7 7l-7-7z" fill="${color}"/>`,
    ring: `<circle cx="${x}" cy="${y}" r="8" fill="none" stroke="${color}" stroke-width="2"/>`,
    circle: `<circle cx="${x}" cy="${y}" r="5.5" fill="${color}"/>`,
    cross: `<path d="M${x - 5} ${y - 5}l10 10M${x - 5} ${y + 5}l10 -10" stroke="${color}" stroke-width="3"/>`,
    plus: `<path d="M${x - 7} ${y}h14M${x} ${y - 7}v14" stroke="${color}" stroke-width="3"/>`,
  };
  return drawn[shape];
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
