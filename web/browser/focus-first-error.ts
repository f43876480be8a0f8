const wrongField = '[aria-invalid="true"]';

/**
 * After a form was submitted, focuses its first field with an error, whether the form or the service found it. Ends
 * with the next input, so that nobody is interrupted.
 */
export function focusFirstError(): void {
  let stop = () => {};
  const cancel = () => stop();
  document.addEventListener('submit', ({ target }) => {
    cancel();
    if (!(target instanceof HTMLFormElement)) return;
    const watcher = new MutationObserver(focus);
    // Errors that the form finds again change nothing in the document.
    const timer = setTimeout(focus);
    stop = () => {
      watcher.disconnect();
      clearTimeout(timer);
    };
    function focus(): void {
      const field = (target as HTMLFormElement).querySelector<HTMLElement>(wrongField);
      if (!field) return;
      cancel();
      field.focus();
    }
    watcher.observe(target, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] });
  });
  document.addEventListener('input', cancel, { capture: true });
}
