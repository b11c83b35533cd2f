/**
 * Where the keyboard is, or will be once the page has it: fields keep the focus whatever happens, and a grid gives it on
 * from row to row. `page` is where nothing in the page was chosen yet.
 */
export type FocusPlace = 'grid' | 'field' | 'page' | 'elsewhere';

export function focusPlace(): FocusPlace {
  const { activeElement, body } = document;
  if (activeElement?.closest('[role="grid"]')) return 'grid';
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  if (isField) return 'field';
  return activeElement === body ? 'page' : 'elsewhere';
}
