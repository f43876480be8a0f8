/**
 * Text nodes that the browser's translation has replaced by an element, and the element. The translation of several
 * neighbors can be one element.
 */
const translations = new WeakMap<Node, { element: Element; texts: readonly Text[] }>();

const isTranslation = (node: Node): node is HTMLElement => node instanceof HTMLElement && node.tagName === 'FONT';

/**
 * Keeps the page working while the browser translates it. Chromium replaces text nodes by `font` elements, but React
 * keeps the text nodes: it would change texts that are no longer shown, and fail when it removes one or inserts
 * something before it.
 */
export function endureTranslation(): void {
  new MutationObserver(noteTranslations).observe(document.body, { childList: true, subtree: true });
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    const shown = shownFor(child);
    if (shown?.parentNode === this) removeChild.call(this, shown);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
    const shown = before && before.parentNode !== this ? shownFor(before) : before;
    return insertBefore.call(this, child, shown?.parentNode === this ? shown : null) as Child;
  };
}

/** Returns the translation of a text node; undefined if it is no longer in the page. */
function shownFor(node: Node): Element | undefined {
  const element = translations.get(node)?.element;
  return element?.isConnected ? element : undefined;
}

function noteTranslations(records: readonly MutationRecord[]): void {
  for (const { target, addedNodes } of records) {
    for (const element of addedNodes) {
      if (!isTranslation(element) || element.parentNode !== target) continue;
      const texts = records.flatMap((record) =>
        record.target === target && touches(record, element) ? [...record.removedNodes].filter(isDetachedText) : [],
      );
      for (const text of texts) {
        translations.set(text, { element, texts });
        changes.observe(text, { characterData: true });
      }
    }
  }
}

const isDetachedText = (node: Node): node is Text => node instanceof Text && !node.isConnected;

/** Returns whether nodes were removed where the element is now, or beside it. */
function touches({ addedNodes, previousSibling, nextSibling }: MutationRecord, element: Node): boolean {
  return [...addedNodes, previousSibling, nextSibling].includes(element);
}

/** Shows a text again that React has changed; the browser then translates the new one. */
const changes = new MutationObserver((records) => {
  for (const { target } of records) {
    const translation = translations.get(target);
    if (!translation?.element.isConnected) continue;
    for (const text of translation.texts) translations.delete(text);
    translation.element.replaceWith(...translation.texts);
  }
});
