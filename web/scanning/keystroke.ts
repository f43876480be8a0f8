/** The meaning of one key for a scan. */
export type Keystroke =
  | { kind: 'modifier' }
  | { kind: 'text'; text: string }
  /** Alt was pressed or released. The digits of the keypad in between are the code of one character. */
  | { kind: 'alt' }
  | { kind: 'altDigit'; digit: string }
  | { kind: 'end' }
  /** Ctrl and a key: within a scan a control character, otherwise a shortcut. `ends` if it is a carriage return or the like. */
  | { kind: 'control'; ends: boolean }
  /** A character that cannot be determined. `begins` if a scan may begin with it. */
  | { kind: 'unreadable'; begins: boolean }
  /** Not from a scanner: a shortcut, a key that is held, an input method. */
  | { kind: 'other' };

export type KeyEvent = Pick<
  KeyboardEvent,
  'type' | 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'repeat' | 'isComposing' | 'timeStamp'
> &
  Pick<KeyboardEvent, 'target' | 'preventDefault' | 'stopImmediatePropagation' | 'getModifierState'>;

const bareModifiers = new Set(['Shift', 'CapsLock', 'NumLock', 'AltGraph', 'Control']);
const endKeys = new Set(['Enter', 'Tab']);
/** Carriage return, line feed and tab, as Ctrl and a letter. */
const endLetters = new Set(['m', 'j', 'i']);

/**
 * Returns the meaning of a key. Which key with Ctrl is a GS1 separator depends on the layouts of scanner and system:
 * `]`, `+`, `$` or `5`. All control characters are removed from the value of a scan, so these keys need not be
 * distinguished.
 */
export function keystrokeOf(event: KeyEvent, isField: boolean): Keystroke {
  const { key, code, ctrlKey, altKey } = event;
  if (bareModifiers.has(key)) return { kind: 'modifier' };
  if (key === 'Alt') return { kind: 'alt' };
  if (event.repeat || event.metaKey || (isField && event.isComposing)) return { kind: 'other' };
  const isOneCharacter = Array.from(key).length === 1;
  if (!event.getModifierState('AltGraph')) {
    const digit = /^Numpad(\d)$/.exec(code)?.[1] ?? (code === '' && /^\d$/.test(key) ? key : undefined);
    if (altKey && !ctrlKey && digit !== undefined) return { kind: 'altDigit', digit };
    if (ctrlKey && !altKey && (isOneCharacter || key === 'Dead')) {
      return { kind: 'control', ends: endLetters.has(key.toLowerCase()) };
    }
    if (ctrlKey || altKey) return { kind: 'unreadable', begins: false };
  }
  if (endKeys.has(key)) return { kind: 'end' };
  if (isOneCharacter) return { kind: 'text', text: key };
  // Without Num Lock, the digits of the keypad move the cursor.
  const keypadDigit = /^Numpad(\d)$/.exec(code)?.[1];
  if (keypadDigit !== undefined && !isField) return { kind: 'text', text: keypadDigit };
  if (key === 'Dead') return { kind: 'unreadable', begins: true };
  if (key !== 'Process' && key !== 'Unidentified') return { kind: 'unreadable', begins: false };
  const text = isField ? undefined : textAt(event);
  return text === undefined ? { kind: 'unreadable', begins: !isField } : { kind: 'text', text };
}

/** The keys of a US keyboard by position, used outside of fields if an input method hides the character of a key. */
const unshifted = new Map(
  Object.entries({
    Minus: '-_',
    Equal: '=+',
    BracketLeft: '[{',
    BracketRight: ']}',
    Backslash: '\\|',
    Semicolon: ';:',
    Quote: '\'"',
    Backquote: '`~',
    Comma: ',<',
    Period: '.>',
    Slash: '/?',
    Space: '  ',
  }),
);
const shiftedDigits = ')!@#$%^&*(';

function textAt({ code, shiftKey }: KeyEvent): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase();
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return shiftKey ? shiftedDigits[Number(digit)] : digit;
  return unshifted.get(code)?.[shiftKey ? 1 : 0];
}

const windows1252 = new TextDecoder('windows-1252');

/**
 * Returns the character of the digits that were typed on the keypad with Alt. Codes from 128 need a leading zero:
 * without it they mean different characters on different systems. Undefined if the digits are not such a code.
 */
export function altCharacter(digits: string): string | undefined {
  const code = Number(digits);
  const isKnown = /^\d{1,4}$/.test(digits) && code > 0 && code < (digits.startsWith('0') ? 256 : 128);
  return isKnown ? windows1252.decode(Uint8Array.of(code)) : undefined;
}
