import type { Address } from '../../core/index.ts';
import { withAddresses } from '../../features/logs/protocol/namedAddresses.ts';
import { checkForm, type FormProblems, type QueryForm } from '../../features/logs/protocol/queryForm.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fill } from '../../messaging/fill.ts';

/** Stands for whatever a name means: only the host knows, and says so when it does not. */
const SOME: readonly Address[] = [`0x${'0'.repeat(40)}`];

/** What keeps each field of the form from being used; empty where nothing does. */
export function formProblems(form: QueryForm, { inputs }: LogsStrings): FormProblems {
  const { problems } = checkForm(withAddresses(form, () => SOME).form, ({ message, details: { input } }) =>
    input ? fill(inputs[input.code], ...(input.values ?? [])) : message,
  );
  return problems ?? {};
}
