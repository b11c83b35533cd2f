import type { Abortable } from '../../../base/abortable.ts';
import type { TimeSlices } from '../../../base/timeSlices.ts';

/** Goes up when what is kept, or what is read out of files, changes its form. */
export const KEPT_VERSION = 1;
/** Characters of all that is kept; more is not loaded and not saved. */
export const MOST_KEPT = 64 * 1024 * 1024;

/** The first text of what is kept, by which it is known. */
export const KEPT_HEAD = 'chainside contracts';

export interface InSlices extends Abortable {
  readonly slices: TimeSlices;
}
