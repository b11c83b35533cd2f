import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AnswerStatus } from '../../../features/logs/protocol/logsSnapshot.ts';
import type { LogsStrings } from '../../../features/logs/protocol/strings.ts';
import { fill } from '../../../messaging/fill.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long ago the last page came. It goes on by itself, and is not read out for that. */
export function Age({
  status,
  strings,
}: {
  readonly status: Pick<AnswerStatus, 'age' | 'rest'>;
  readonly strings: LogsStrings;
}) {
  // By the page's own clock: that of the extension may be another machine's.
  const since = useMemo(
    () => (status.age === undefined ? undefined : performance.now() - status.age),
    [status],
  );
  const [, tick] = useState(0);
  const age = since === undefined ? undefined : performance.now() - since;
  const every = age === undefined || age < MINUTE ? SECOND : MINUTE / 2;
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), every);
    return () => clearInterval(timer);
  }, [since, every]);
  if (age === undefined) return null;
  return (
    <span class="age" aria-live="off">
      {status.rest && ', '}
      {ageText(age, strings)}
    </span>
  );
}

function ageText(age: number, strings: LogsStrings): string {
  if (age < SECOND) return strings.justNow;
  if (age < MINUTE) return fill(strings.secondsAgo, Math.floor(age / SECOND));
  if (age < HOUR) return fill(strings.minutesAgo, Math.floor(age / MINUTE));
  return fill(strings.hoursAgo, Math.floor(age / HOUR));
}
