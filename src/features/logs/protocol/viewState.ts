import * as z from 'zod/mini';
import { queryFormSchema } from '../../../core/index.ts';
import { columnWidths } from '../../../messaging/panel.ts';
import { arrangement } from './arrangement.ts';
import { chartUnit } from './chart.ts';

/** What a view keeps for the time when it is hidden or the window reloads. No rows: those are the host's. */
export const viewStateSchema = z.object({
  form: queryFormSchema,
  widths: columnWidths,
  topicsOpen: z.boolean(),
  formOpen: z._default(z.boolean(), false),
  arrangement: z._default(arrangement, { filter: '' }),
  chart: z._default(z.object({ isShown: z.optional(z.boolean()), unit: chartUnit }), { unit: 'block' }),
  answer: z.string(),
  /** Of the network that the panel asks, where it is not the active one. */
  network: z.optional(z.string().check(z.maxLength(300))),
  topRow: z.number().check(z.minimum(0)),
  /** The log whose details are open. */
  detailed: z.optional(z.int().check(z.minimum(0))),
});

export type ViewState = Readonly<z.infer<typeof viewStateSchema>>;
