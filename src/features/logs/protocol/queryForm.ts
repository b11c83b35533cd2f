import * as z from 'zod/mini';
import {
  type AppError,
  badInput,
  checksumState,
  createLogFilter,
  isAppError,
  type LogFilter,
  parseAddress,
  parseBlockTag,
  parseEventOrTopic0,
  requireAddress,
  requireTopic,
} from '../../../core/index.ts';

const text = z.string().check(z.maxLength(100_000));

/** The query form as it was typed. Shared by the host and the webview, so that both judge it alike. */
export const queryFormSchema = z.object({
  address: text,
  event: text,
  topic1: text,
  topic2: text,
  topic3: text,
  fromBlock: text,
  toBlock: text,
});

export type QueryForm = Readonly<z.infer<typeof queryFormSchema>>;
export type FormField = keyof QueryForm;
export type FormProblems = Readonly<Partial<Record<FormField, string>>>;

export const emptyForm: QueryForm = {
  address: '',
  event: '',
  topic1: '',
  topic2: '',
  topic3: '',
  fromBlock: 'earliest',
  toBlock: 'latest',
};

export function isFormField(name: string): name is FormField {
  return Object.hasOwn(emptyForm, name);
}

export type CheckedForm =
  | { readonly filter: LogFilter; readonly problems?: undefined }
  | { readonly filter?: undefined; readonly problems: FormProblems };

/** The filter that the form stands for, or what is wrong with each field that cannot be used, as `say` words it. */
export function checkForm(
  form: QueryForm,
  say: (problem: AppError) => string = ({ message }) => message,
): CheckedForm {
  const problems: Partial<Record<FormField, string>> = {};
  const read = <T>(field: FormField, parse: (value: string, field: FormField) => T): T | undefined => {
    try {
      return parse(form[field], field);
    } catch (error) {
      if (!isAppError(error, 'badInput')) throw error;
      problems[field] = say(error);
      return undefined;
    }
  };
  const addresses = read('address', (value) => listOf(value).map((item) => requireAddress(item)));
  const event = read('event', topic0Of);
  const further = (['topic1', 'topic2', 'topic3'] as const).map((field) => read(field, furtherTopicOf));
  const fromBlock = read('fromBlock', (value, field) => parseBlockTag(value.trim() || 'earliest', field));
  const toBlock = read('toBlock', (value, field) => parseBlockTag(value.trim() || 'latest', field));
  if (Object.keys(problems).length > 0) return { problems };

  const filter = read('fromBlock', () =>
    createLogFilter({
      addresses: addresses ?? [],
      topics: [event ?? null, ...further.map((topics) => topics ?? null)],
      fromBlock: fromBlock ?? 'earliest',
      toBlock: toBlock ?? 'latest',
    }),
  );
  return filter ? { filter } : { problems };
}

/** One event signature, or one or several topic0 values; null for any event. */
function topic0Of(value: string) {
  const typed = value.trim();
  if (typed === '') return null;
  return /^0x/i.test(typed) ? listOf(typed).map((item) => requireTopic(item)) : [parseEventOrTopic0(typed)];
}

/** One or several topics; null for any. An address stands for its topic, as an indexed address is logged. */
function furtherTopicOf(value: string, field: FormField) {
  const items = listOf(value);
  if (items.length === 0) return null;
  return items.map((item) => {
    const address = parseAddress(item);
    if (address) return requireTopic(`0x${address.slice(2).padStart(64, '0')}`);
    try {
      return requireTopic(item);
    } catch {
      throw badInput(field, 'Not a topic: it takes 0x and 64 hex digits (32 bytes), or an address.', {
        code: 'notTopicOrAddress',
      });
    }
  });
}

/** Addresses of the field whose letter case claims a checksum that is wrong: one letter may be mistyped. */
export function wrongChecksums(value: string): readonly string[] {
  return listOf(value).filter((item) => parseAddress(item) && checksumState(item) === 'wrong');
}

function listOf(value: string): readonly string[] {
  return value.split(/[\s,;]+/).filter((item) => item !== '');
}
