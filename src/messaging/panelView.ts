import * as z from 'zod/mini';
import type { ServedMethods } from './contract.ts';
import type { PanelView } from './panel.ts';

/** How a view serves its host. It believes what it is shown, which is the extension's own, and does only what it can. */
export function servePanelView<Shown, Action extends string>({
  actions,
  show,
  act,
}: {
  readonly actions: readonly Action[];
  readonly show: (shown: Shown) => void;
  readonly act: (action: Action) => void;
}): ServedMethods<PanelView<Shown, Action>> {
  // The page's content policy forbids building functions from text.
  z.config({ jitless: true });
  return {
    show: { params: z.custom<Shown>(), handle: show },
    act: { params: z.enum(actions as readonly [Action, ...Action[]]), handle: act },
  };
}
