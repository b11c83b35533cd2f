import { useLayoutEffect } from 'preact/hooks';
import {
  type FormField,
  getFieldText,
  isAppError,
  listEventArguments,
  parseDeclaredEvent,
  parseEventSignature,
  parseTimeTag,
  type QueryForm as QueryFields,
} from '../../core/index.ts';
import { wrongChecksums } from '../../features/logs/protocol/queryForm.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fill } from '../../messaging/fill.ts';
import { Combobox } from '../kit/combobox.tsx';
import { Field } from '../kit/field.tsx';
import { leaveField, runQuery, switchToChain, typed } from './actions.ts';
import { ArgumentFields } from './argumentFields.tsx';
import { focusForm, foldForm, openForm } from './fold.ts';
import { completePart, listOnOneLine } from './parts/listParts.ts';
import { Toggle } from './parts/toggle.tsx';
import { TopicFields } from './parts/topicFields.tsx';
import type { LogsState } from './state.ts';
import { suggestAddresses, suggestEvents } from './suggestions.ts';

/** The form on top. Not an HTML form: the page has no need of the capability to submit one. */
export function QueryForm({ state }: { readonly state: LogsState }) {
  const { strings, topicsOpen, sentOpen } = state;
  const form = state.form.value;
  const { known } = state.snapshot.value;
  const { firstBlock } = state.facts.value ?? {};
  const event = parseDeclaredEvent(form.event);
  const fields = event ? listEventArguments(event) : [];
  const run = () => void runForm(state);
  useLayoutEffect(() => focusForm(state));
  const props = (name: FormField, label: string, placeholder: string) => ({
    ...{ id: name, label, placeholder, hint: state.facts.value?.names[name] },
    value: getFieldText(form, name),
    problem: state.problems.value[name],
    onInput: (value: string) => typed(state, name, value),
    onLeave: () => void leaveField(state, name),
    onEnter: run,
  });
  return (
    <search
      class="form"
      aria-label={strings.query}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.isComposing) foldForm(state);
      }}
    >
      <div class="fields">
        <Combobox
          {...props('address', strings.address, strings.addressHint)}
          hint={checksumHint(state) ?? state.facts.value?.names.address}
          suggest={(value, options) => suggestAddresses(state, value, options)}
          complete={completePart}
          oneLine={listOnOneLine}
          listStrings={strings}
          version={known}
        />
        <Combobox
          {...props('event', strings.event, strings.eventHint)}
          {...eventHints(form.event, strings)}
          suggest={(value, options) => suggestEvents(state, value, options)}
          complete={(_, value) => value}
          listStrings={strings}
          version={known}
        />
        <Field
          {...props('fromBlock', strings.fromBlock, firstBlock?.block ?? 'earliest')}
          hint={momentHint(form.fromBlock, 'fromBlock', strings) ?? firstBlock?.why}
          info={strings.blockForms}
        />
        <Field
          {...props('toBlock', strings.toBlock, 'latest')}
          hint={momentHint(form.toBlock, 'toBlock', strings)}
          info={strings.blockForms}
        />
      </div>
      <Elsewhere state={state} />
      {fields.length > 0 && <ArgumentFields state={state} fields={fields} onEnter={run} />}
      {topicsOpen.value && (
        <TopicFields
          {...{ event: form.event, strings, version: known, field: props }}
          suggest={(value, options) => suggestAddresses(state, value, options)}
        />
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={run}>
          {strings.run}
        </button>
        <Toggle
          open={topicsOpen}
          controls="topics"
          label={fields.length > 0 ? strings.rawTopics : strings.moreTopics}
        />
        <Toggle open={sentOpen} controls="sent" label={strings.sent} />
        {state.snapshot.value.executed && (
          <button type="button" class="plain" onClick={() => foldForm(state)}>
            {strings.closeForm}
          </button>
        )}
        <OrderChoice state={state} />
      </div>
      {sentOpen.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section class="sent" id="sent" tabIndex={0} aria-label={strings.sent}>
          <pre>{state.facts.value?.sent ?? strings.sentNothing}</pre>
        </section>
      )}
    </search>
  );
}

/** Which end of the range is read first. */
function OrderChoice({ state }: { readonly state: LogsState }) {
  const { strings, form } = state;
  const choice = (order: QueryFields['order'], label: string) => (
    <label>
      <input
        type="radio"
        name="order"
        checked={form.value.order === order}
        onChange={() => {
          state.form.value = { ...form.value, order };
        }}
      />{' '}
      {label}
    </label>
  );
  return (
    <fieldset class="order">
      <legend class="unseen">{strings.order}</legend>
      {choice('newestFirst', strings.newestFirst)}
      {choice('oldestFirst', strings.oldestFirst)}
    </fieldset>
  );
}

/** That the address is deployed on another chain, and a click to go there. */
function Elsewhere({ state }: { readonly state: LogsState }) {
  const elsewhere = state.facts.value?.elsewhere;
  if (!elsewhere) return null;
  return (
    <div class="elsewhere">
      <span>{elsewhere.words}</span>
      <button type="button" onClick={() => void switchToChain(state, elsewhere.chainId)}>
        {elsewhere.button}
      </button>
    </div>
  );
}

/** Begins the query and folds the form, or shows the first field that keeps it from it. */
export async function runForm(state: LogsState): Promise<void> {
  if (await runQuery(state)) return foldForm(state);
  if (topicProblem(state)) state.topicsOpen.value = true;
  openForm(state);
}

function topicProblem({ problems }: LogsState): boolean {
  const { topic1, topic2, topic3 } = problems.value;
  return Boolean(topic1 ?? topic2 ?? topic3);
}

function checksumHint({ form, strings }: LogsState): string | undefined {
  const wrong = wrongChecksums(form.value.address);
  return wrong.length === 0 ? undefined : fill(strings.wrongChecksum, wrong.join(', '));
}

/** The moment that a bound stands for, in UTC, where it is one. */
function momentHint(text: string, field: 'fromBlock' | 'toBlock', strings: LogsStrings): string | undefined {
  try {
    const moment = parseTimeTag(text, field, field === 'fromBlock' ? 'start' : 'end');
    return moment && fill(field === 'fromBlock' ? strings.firstSince : strings.lastUntil, moment);
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

/** The topic0 that a typed signature stands for, so that it can be seen and checked, and how to get more fields. */
function eventHints(
  event: string,
  strings: LogsStrings,
): { readonly hint: string | undefined; readonly info: string | undefined } {
  const none = { hint: undefined, info: undefined };
  if (event.trim() === '' || event.trim().startsWith('0x')) return none;
  try {
    const { topic0, signature } = parseEventSignature(event);
    const isPlain = parseDeclaredEvent(event) === undefined && !signature.endsWith('()');
    return { hint: isPlain ? strings.plainEvent : undefined, info: fill(strings.topic0, topic0) };
  } catch (error) {
    if (isAppError(error, 'badInput')) return none;
    throw error;
  }
}
