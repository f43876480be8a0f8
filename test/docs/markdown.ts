import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../server/kernel/project-root.js';

/** A fenced block with the language it names, or a paragraph of the text around the blocks. */
export type Piece = { readonly kind: 'block' | 'text'; readonly language: string; readonly text: string };

/** A file of the project, by its path from the root. */
export function readProjectFile(...segments: string[]): string {
  return readFileSync(path.join(projectRoot(), ...segments), 'utf8');
}

/** Returns the text below a heading of the second level, up to the next one. Fails if there is no such heading. */
export function sectionOf(markdown: string, heading: string): string {
  const [, ...sections] = markdown.split(/^## /m);
  const section = sections.find((candidate) => candidate.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no heading "${heading}"`);
  return section.slice(heading.length);
}

/** The blocks and paragraphs of a text in their order. */
export function piecesOf(markdown: string): Piece[] {
  return markdown.split(/^(```[a-z]*\n[^]*?^```$)/m).flatMap((part): Piece[] => {
    const [, language = '', text = ''] = /^```([a-z]*)\n([^]*)^```$/m.exec(part) ?? [];
    if (part.startsWith('```')) return [{ kind: 'block', language, text }];
    const paragraphs = part.split(/\n{2,}/).map((paragraph) => paragraph.trim());
    return paragraphs.filter(Boolean).map((paragraph) => ({ kind: 'text', language: '', text: paragraph }));
  });
}

/** The blocks of one language. */
export function blocksOf(markdown: string, language: string): string[] {
  return piecesOf(markdown)
    .filter((piece) => piece.kind === 'block' && piece.language === language)
    .map(({ text }) => text);
}

/** The rows of the first table below its head, cell by cell. */
export function tableRowsOf(markdown: string): string[][] {
  const lines = markdown.split('\n');
  const rule = lines.findIndex((line) => /^\|[-:|]+\|$/.test(line));
  const after = lines.slice(rule + 1);
  const end = after.findIndex((line) => !line.startsWith('|'));
  return after.slice(0, end === -1 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
