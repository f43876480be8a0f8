import type { KeyboardEvent } from 'react';

const typeaheadPauseMs = 700;

const itemSelector = '[role="treeitem"]';

export type TreeKeys = { setOpen(id: number, isOpen: boolean): void; activate(item: HTMLElement): void };

/**
 * Returns the key listener of a tree: arrows move, open and close, Home and End go to the ends, letters go to the next
 * name that begins with them. Reads the items from the page, in their visible order.
 */
export function createTreeKeys({ setOpen, activate }: TreeKeys): (event: KeyboardEvent<HTMLElement>) => void {
  let typed = '';
  let typedAt = 0;

  /**
   * Returns the next item, from the given item on and wrapping around, whose name begins with the letters typed in
   * quick succession.
   */
  function typeahead(items: HTMLElement[], from: number, key: string): HTMLElement | undefined {
    const now = Date.now();
    typed = now - typedAt > typeaheadPauseMs ? key : typed + key;
    typedAt = now;
    const wanted = typed.toLocaleLowerCase();
    const start = typed.length === 1 ? from + 1 : from;
    return [...items.slice(start), ...items.slice(0, start)].find((item) =>
      item.dataset['name']?.toLocaleLowerCase().startsWith(wanted),
    );
  }

  return (event) => {
    const target = event.target as HTMLElement;
    // Buttons and menus inside a row have keys of their own.
    if (!target.matches(itemSelector) || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>(itemSelector)];
    const at = items.indexOf(target);
    const id = Number(target.dataset['id']);
    const expanded = target.getAttribute('aria-expanded');
    let next: HTMLElement | undefined;
    switch (event.key) {
      case 'ArrowDown':
        next = items[at + 1];
        break;
      case 'ArrowUp':
        next = items[at - 1];
        break;
      case 'Home':
        next = items[0];
        break;
      case 'End':
        next = items.at(-1);
        break;
      case 'ArrowRight':
        if (expanded === 'false') setOpen(id, true);
        else if (expanded === 'true') next = items[at + 1];
        break;
      case 'ArrowLeft':
        if (expanded === 'true') setOpen(id, false);
        else next = items.slice(0, at).findLast((item) => levelOf(item) < levelOf(target));
        break;
      case 'Enter':
      case ' ':
        activate(target);
        break;
      default:
        if (event.key.length !== 1 || event.shiftKey || event.key === '/') return;
        next = typeahead(items, at, event.key);
    }
    event.preventDefault();
    next?.focus();
  };
}

function levelOf(item: HTMLElement): number {
  return Number(item.getAttribute('aria-level'));
}
