import { dayIn } from '../time/day.js';
import { instantIn } from '../time/instant.js';

/** Returns a part of an address; undefined if it is missing or no such value. The router parses digits, true and false. */
type Part<Value> = (given: unknown) => Value | undefined;

type Parts = Readonly<Record<string, Part<unknown>>>;

/** The parts of an address that are there. */
export type Search<Known extends Parts> = { [Name in keyof Known]?: NonNullable<ReturnType<Known[Name]>> };

/** Returns the known parts of an address; others, and parts with an invalid value, are ignored. */
export function searchOf<Known extends Parts>(parts: Known, given: Readonly<Record<string, unknown>>): Search<Known> {
  const read = Object.entries(parts).map(([name, part]) => [name, part(given[name])] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Search<Known>;
}

/** A text that is cut off after some UTF-16 code units. */
export function textUpTo(max: number): Part<string> {
  return (given) => {
    const isText = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
    const text = isText ? String(given).slice(0, max) : '';
    return text.trim() === '' ? undefined : text;
  };
}

/** A text to search for, as long as the service accepts it. */
export const textPart = textUpTo(255);

const idMax = 2_147_483_647;

/** A whole number, both bounds included. */
export function wholePart(min: number, max = idMax): Part<number> {
  return (given) => {
    const n = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
    return typeof n === 'number' && Number.isInteger(n) && n >= min && n <= max ? n : undefined;
  };
}

export const idPart = wholePart(1);

export const offsetPart = wholePart(0);

export const flagPart: Part<boolean> = (given) => {
  if (given === true || given === 'true') return true;
  return given === false || given === 'false' ? false : undefined;
};

/** A filter that is only ever set. */
export const truePart: Part<true> = (given) => flagPart(given) || undefined;

export function oneOfPart<Choice extends string>(choices: readonly Choice[]): Part<Choice> {
  return (given) => choices.find((choice) => choice === given);
}

/** A day in the time zone shown, such as `2026-01-31`. */
export const dayPart: Part<string> = dayIn;

/** An instant of the past, in RFC 3339. */
export const instantPart: Part<string> = instantIn;
