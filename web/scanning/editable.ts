/** A field as it was before something was typed into it. */
export type Editable = { element: HTMLInputElement | HTMLTextAreaElement | HTMLElement; value: string | undefined };

const buttonTypes = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Returns the field that keys go to, if it is one. */
export function editableOf(target: EventTarget | null): HTMLElement | undefined {
  if (target instanceof HTMLInputElement) return buttonTypes.has(target.type) || target.readOnly ? undefined : target;
  if (target instanceof HTMLTextAreaElement) return target.readOnly ? undefined : target;
  return target instanceof HTMLElement && target.isContentEditable ? target : undefined;
}

export function snapshotOf(element: HTMLElement): Editable {
  const hasValue = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return { element, value: hasValue ? element.value : undefined };
}

/** Restores the former text of a field and notifies listeners; false if that is not possible. */
export function rewind({ element, value }: Editable): boolean {
  if (value === undefined) return false;
  // The setter of the element's own class, since frameworks put another one before it.
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element) as object, 'value')?.set;
  if (!setter) return false;
  Reflect.apply(setter, element, [value]);
  element.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}
