import { type Address, findUnknownTypes, type QueryForm, replaceAddressNames } from '../../../core/index.ts';
import { checkForm, type FormProblems } from '../../../features/logs/protocol/queryForm.ts';
import type { LogsStrings } from '../../../features/logs/protocol/strings.ts';
import { fill } from '../../../messaging/fill.ts';

/** Stands for whatever a name means: only the host knows, and says so when it does not. */
const SOME: readonly Address[] = [`0x${'0'.repeat(40)}`];

/** What keeps each field of the form from being used; empty where nothing does. */
export function formProblems(form: QueryForm, strings: LogsStrings): FormProblems {
  const { inputs } = strings;
  const { problems } = checkForm(
    replaceAddressNames(form, () => SOME).form,
    ({ message, details: { input } }) => {
      const type = input?.code === 'unknownType' ? typeProblem(form.event, strings) : undefined;
      return type ?? (input ? fill(inputs[input.code], ...(input.values ?? [])) : message);
    },
  );
  return problems ?? {};
}

/** The first type of an event that is none, as far as it is typed. */
export function typeProblem(event: string, strings: LogsStrings): string | undefined {
  const [unknown] = findUnknownTypes(event);
  if (!unknown) return undefined;
  const { word, nearest } = unknown;
  return nearest === undefined
    ? fill(strings.unknownType, word.slice(0, 80))
    : fill(strings.unknownTypeNear, word.slice(0, 80), nearest);
}
