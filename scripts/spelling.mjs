/**
 * `npm run spelling`: checks the spelling of all tracked text files with cspell. `cspell.json` has the settings, and
 * `cspell-words.txt` the terms of the field.
 *
 * Each different word is checked once, in one document. This takes seconds; cspell itself takes 20 s for all files.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installAll, prepare, root } from './prepare.mjs';

prepare(installAll);
// Imported only now that the packages are installed.
const { spellCheckDocument } = await import('cspell-lib');

/** Files in other languages, also in C, files that are generated or binary, messages of devices, and migrations, which are never edited. */
const skipped =
  /^(?:LICENSE|test\/sql\/.*|web\/locales\/.*|test\/browser\/language\.test\.ts|server\/people\/mail\/german\.ts|test\/server\/people\/mail\/person\.test\.ts|test\/regression\/inputs\/.*|web\/csv\/column-words\.ts|server\/app\/imports\/boolean-words\.ts|test\/browser\/find\.test\.ts|test\/web\/phrases\.test\.ts|web\/search\/phrases\.ts|test\/web\/import\/.*|test\/server\/app\/imports\/files-of-people\.test\.ts|test\/web\/csv\/.*|cspell\.json|package-lock\.json|prisma\/migrations\/.*|test\/ingest-broker\/devices\/cases\/.*)$|\.(?:c|ico|png|webp|svg)$/;
/** URLs, hexadecimal and Base64 values, escapes, and stored values that keep their spelling. */
const ignored =
  /\bhttps?:\S+|\\(?:x[\da-f]{2}|u\{?[\da-f]{4,6}\}?|[bfnrt])|\b[\da-f]{6,}\b|\b(?=\w*\d)[\w+/]{20,}=*|'cancelled'|cancelled:/gi;
/** A word without a possessive ending; the hyphenated spelling of email counts as one. Texts in other scripts are test data. */
const word =
  /(?<!\p{L})e-(?:mails?)(?!\p{L})|\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:['’](?!s\b)\p{Script=Latin}+)*/gu;
const occurrencesMax = 5;

/** Returns the files that Git tracks, or without Git all files but installed and generated ones. */
function sourceFiles() {
  const tracked = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  if (tracked.status === 0) return tracked.stdout.split('\0').filter((file) => file !== '');
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !/^(?:node_modules|dist.*|generated|coverage|certificates|\.git|\.data|\.env)$/.test(name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(entry.name) : [entry.name]));
}

function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

/** Returns the words of all files, each with its occurrences as `file:line`. Line 0 is the name of the file. */
function occurrencesOfWords() {
  const occurrencesOf = new Map();
  for (const file of sourceFiles().filter((name) => !skipped.test(name))) {
    const lines = [file, ...readFileSync(path.join(root, file), 'utf8').split('\n')];
    for (const [number, line] of lines.entries()) {
      for (const [text] of line.replaceAll(ignored, ' ').matchAll(word)) {
        const occurrences = occurrencesOf.get(text);
        if (occurrences) occurrences.push(`${file}:${number}`);
        else occurrencesOf.set(text, [`${file}:${number}`]);
      }
    }
  }
  return occurrencesOf;
}

const occurrencesOf = occurrencesOfWords();
const { issues, errors = [] } = await spellCheckDocument(
  { uri: 'words.txt', text: [...occurrencesOf.keys()].join('\n'), languageId: 'plaintext', locale: 'en-US' },
  { configFile: path.join(root, 'cspell.json'), noConfigSearch: true, generateSuggestions: false },
  {},
);
if (errors[0]) throw errors[0];
for (const { text, isFlagged, line } of issues) {
  const occurrences = occurrencesOf.get(line.text.trim()) ?? [];
  const more = occurrences.length > occurrencesMax ? ` and ${occurrences.length - occurrencesMax} more` : '';
  const reason = isFlagged ? 'is not American spelling' : 'is unknown';
  process.stderr.write(`"${text}" ${reason}: ${occurrences.slice(0, occurrencesMax).join(', ')}${more}\n`);
}
if (issues.length > 0) {
  process.stderr.write('Correct these words, or add terms of the field to cspell-words.txt.\n');
  process.exitCode = 1;
}
