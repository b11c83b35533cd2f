/** Where the keyboard is: fields keep the focus whatever happens, and a grid gives it on from row to row. */
export type FocusPlace = 'grid' | 'field' | 'elsewhere';

export function focusPlace(): FocusPlace {
  const { activeElement } = document;
  if (activeElement?.closest('[role="grid"]')) return 'grid';
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  return isField ? 'field' : 'elsewhere';
}
