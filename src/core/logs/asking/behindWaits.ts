import type { Abortable } from '../../base/abortable.ts';
import { AppError } from '../../base/errors.ts';
import type { Wait } from '../../base/waits.ts';

/**
 * Waits before a machine that is behind is asked again, in milliseconds: at once another may answer, then it gets the
 * time of some blocks.
 */
const WAITS_MS = [0, 250, 500, 1000, 2000, 3000, 3000];

/**
 * Waits before the try after number `attempt`, which counts from 0.
 *
 * @returns false when that was enough of them.
 * @throws AppError `aborted`.
 */
export async function waitForBlocks(wait: Wait, attempt: number, { signal }: Abortable): Promise<boolean> {
  const ms = WAITS_MS[attempt];
  if (ms === undefined) return false;
  try {
    if (ms > 0) await wait({ ms, byServer: false }, { signal });
    return true;
  } catch (cause) {
    throw new AppError('aborted', 'Cancelled.', { cause });
  }
}
