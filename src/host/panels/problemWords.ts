import type { ProblemWords } from '../../messaging/panel.ts';
import type { ErrorDescription } from '../words/describeError.ts';

/** Why something failed, as a panel shows it. */
export function problemWords({
  message,
  advice,
  remedies,
}: Pick<ErrorDescription, 'message' | 'advice' | 'remedies'>): ProblemWords {
  return { message, advice, remedies: remedies.map(({ title }) => title) };
}
