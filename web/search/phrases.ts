/** A filter that was typed in words. `typed` is its part of the text. */
export type Phrase =
  | { kind: 'place'; typed: string; place: string }
  | { kind: 'unseen'; typed: string; days: number }
  | { kind: 'free' | 'near'; typed: string };

/** The phrases in a text, in the order in which they were typed, and the rest of the text. */
export type PhrasedText = { phrases: Phrase[]; rest: string };

const daysMax = 3650;
const daysOf = { day: 1, tag: 1, week: 7, woche: 7, month: 30, monat: 30 } as const;

// The words of all languages are understood in each language, so that links and habits still work after a change of the
// language.
const span = String.raw`(?<n>\d{1,4})\s+(?<unit>day|tag|week|woche|month|monat)(?:s|en|n|e)?`;
const unseenForms = [
  String.raw`(?:not\s+seen|unseen)\s+(?:for|in|since)\s+(?:the\s+last\s+)?${span}`,
  String.raw`nicht\s+(?:mehr\s+)?gesehen\s+seit\s+${span}`,
  String.raw`seit\s+${span}\s+nicht\s+(?:mehr\s+)?gesehen`,
].map((form) => new RegExp(String.raw`(?<![\p{L}\p{N}])${form}(?![\p{L}\p{N}])`, 'iu'));

const placeForm = /(?<!\S)(?:in|im)\s+(?:(?:the|der|dem)\s+)?(?<place>\S.*)$/isu;

const alone = (form: string) => new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:${form})(?![\p{L}\p{N}-])`, 'iu');

/** In "any free pump near me", "free" is a filter, but not within a longer word. */
const words = [
  ['near', alone(String.raw`near\s+me|nearby|nearest|in\s+meiner\s+nähe|in\s+der\s+nähe`)],
  ['free', alone(String.raw`(?:any\s+|ein(?:e[rn]?)?\s+)?(?:free|freie[rsnm]?|frei)`)],
] as const;

/**
 * Finds "free", "near me", "in Ward 3A" and "not seen for 2 days" in a search text, in English or German. A location's
 * name ends at the end of the text or where another phrase begins; the caller checks whether there is such a location.
 */
export function phrasesOf(given: string): PhrasedText {
  const phrases: Phrase[] = [];
  let text = given;
  for (const [kind, form] of words) {
    const typed = form.exec(text)?.[0];
    if (typed === undefined) continue;
    phrases.push({ kind, typed });
    text = withoutGaps(text.replace(typed, () => ' '));
  }
  const unseen = unseenForms.map((form) => form.exec(text)).find((match) => match !== null);
  const days = unseen ? Number(unseen.groups?.['n']) * unitDays(unseen.groups?.['unit'] ?? '') : 0;
  const isUnderstood = unseen && days >= 1 && days <= daysMax;
  const parts = isUnderstood ? [text.slice(0, unseen.index), text.slice(unseen.index + unseen[0].length)] : [text];
  const left: string[] = [];
  parts.forEach((part, at) => {
    const place = phrases.some(({ kind }) => kind === 'place') ? null : placeForm.exec(part);
    left.push(place ? part.slice(0, place.index) : part);
    if (place) phrases.push({ kind: 'place', typed: place[0].trim(), place: (place.groups?.['place'] ?? '').trim() });
    if (isUnderstood && at === 0) phrases.push({ kind: 'unseen', typed: unseen[0], days });
  });
  return { phrases, rest: withoutGaps(left.join(' ')) };
}

/** Returns a text without one of its phrases. */
export function withoutPhrase(text: string, { typed }: Phrase): string {
  return withoutGaps(text.replace(typed, () => ' '));
}

function unitDays(unit: string): number {
  return Object.entries(daysOf).find(([name]) => name === unit.toLowerCase())?.[1] ?? 0;
}

function withoutGaps(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
