import * as z from 'zod/mini';
import { columnWidths } from '../../../messaging/panel.ts';
import { tokenIdText } from './protocol.ts';

/** What a view keeps for the time when it is hidden or the window reloads. No rows: those are the host's. */
export const viewStateSchema = z.object({
  contract: z.string(),
  tokenId: tokenIdText,
  widths: columnWidths,
  answer: z.string(),
  topRow: z.number().check(z.minimum(0)),
});

export type ViewState = Readonly<z.infer<typeof viewStateSchema>>;
