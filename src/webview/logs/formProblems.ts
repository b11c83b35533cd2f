import { checkForm, type FormProblems, type QueryForm } from '../../features/logs/protocol/queryForm.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fill } from '../../messaging/fill.ts';

/** What keeps each field of the form from being used; empty where nothing does. */
export function formProblems(form: QueryForm, { inputs }: LogsStrings): FormProblems {
  const { problems } = checkForm(form, ({ message, details: { input } }) =>
    input ? fill(inputs[input.code], ...(input.values ?? [])) : message,
  );
  return problems ?? {};
}
