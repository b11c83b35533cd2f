import type { Signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import {
  type AbiType,
  type EventArgument,
  encodeArgument,
  type FormField,
  formatExactNumber,
  formatIntegerBound,
  getArgumentField,
  getFieldText,
  getIntegerBounds,
  isAppError,
  listEventArguments,
  listTopicTypes,
  parseDeclaredEvent,
  parseEventSignature,
  parseTimeTag,
  parseTopicText,
  type QueryForm as QueryFields,
  splitArgument,
  splitList,
} from '../../core/index.ts';
import { findWrongChecksums } from '../../features/logs/protocol/protocol.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fillTemplate } from '../../messaging/panel.ts';
import { type Choice, Combobox, type InputText } from '../kit/combobox.tsx';
import { Field, type FieldProps } from '../kit/field.tsx';
import { completeBool } from '../kit/suggestions.ts';
import { suggestAddresses, suggestEvents, suggestMembers } from './formHelp.ts';
import { completeListItem, joinListLines } from './formValidation.ts';
import {
  changeField,
  focusForm,
  foldForm,
  leaveField,
  openForm,
  runQuery,
  switchToChain,
} from './logsActions.ts';
import type { LogsState } from './logsState.ts';

/** The query form. It is no HTML form: the page does not need the capability to submit one. */
export function QueryForm({ state }: { readonly state: LogsState }) {
  const { strings, topicsOpen, sentOpen } = state;
  const form = state.form.value;
  const { knowledgeVersion } = state.snapshot.value;
  const { firstBlock } = state.facts.value ?? {};
  const event = parseDeclaredEvent(form.event);
  const fields = event ? listEventArguments(event) : [];
  const run = () => void runForm(state);
  useLayoutEffect(() => focusForm(state));
  const getFieldProps = (name: FormField, label: string, placeholder: string) => ({
    id: name,
    label,
    placeholder,
    hint: state.facts.value?.names[name],
    value: getFieldText(form, name),
    problem: state.fieldErrors.value[name],
    onInput: (value: string) => changeField(state, name, value),
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
          {...getFieldProps('address', strings.address, strings.addressHint)}
          hint={formatChecksumHint(state) ?? state.facts.value?.names.address}
          suggest={(value, options) => suggestAddresses(state, value, options)}
          complete={completeListItem}
          oneLine={joinListLines}
          listStrings={strings}
          version={knowledgeVersion}
        />
        <Combobox
          {...getFieldProps('event', strings.event, strings.eventHint)}
          {...formatEventHints(form.event, strings)}
          suggest={(value, options) => suggestEvents(state, value, options)}
          complete={(_, value) => value}
          listStrings={strings}
          version={knowledgeVersion}
        />
        <Field
          {...getFieldProps('fromBlock', strings.fromBlock, firstBlock?.block ?? 'earliest')}
          hint={formatTimeHint(form.fromBlock, 'fromBlock', strings) ?? firstBlock?.why}
          info={strings.blockForms}
        />
        <Field
          {...getFieldProps('toBlock', strings.toBlock, 'latest')}
          hint={formatTimeHint(form.toBlock, 'toBlock', strings)}
          info={strings.blockForms}
        />
      </div>
      {fields.length > 0 && <ArgumentFields state={state} fields={fields} onEnter={run} />}
      {topicsOpen.value && (
        <TopicFields
          {...{ event: form.event, strings, version: knowledgeVersion, field: getFieldProps }}
          suggest={(value, options) => suggestAddresses(state, value, options)}
        />
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={run}>
          {strings.run}
        </button>
        <DisclosureButton open={topicsOpen} controls="topics" label={strings.topics} />
        <DisclosureButton open={sentOpen} controls="sent" label={strings.sent} />
        {state.snapshot.value.executed && (
          <button type="button" class="plain" onClick={() => foldForm(state)}>
            {strings.closeForm}
          </button>
        )}
        <OrderChoice state={state} />
      </div>
      <OtherChainNotice state={state} />
      {sentOpen.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section class="sent" id="sent" tabIndex={0} aria-label={strings.sent}>
          <pre>{state.facts.value?.sent ?? strings.sentNothing}</pre>
        </section>
      )}
    </search>
  );
}

/** Runs the query and collapses the form, or focuses the first invalid field. */
export async function runForm(state: LogsState): Promise<void> {
  if (await runQuery(state)) return foldForm(state);
  if (hasTopicError(state)) state.topicsOpen.value = true;
  openForm(state);
}

function hasTopicError({ fieldErrors }: LogsState): boolean {
  const { topic1, topic2, topic3 } = fieldErrors.value;
  return Boolean(topic1 ?? topic2 ?? topic3);
}

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

/** Says that the address is deployed on another chain, with a button to switch to it. */
function OtherChainNotice({ state }: { readonly state: LogsState }) {
  const elsewhere = state.facts.value?.elsewhere;
  if (!elsewhere) return null;
  return (
    <div class="elsewhere">
      <span>{elsewhere.message}</span>
      <button type="button" onClick={() => void switchToChain(state, elsewhere.chainId)}>
        {elsewhere.button}
      </button>
    </div>
  );
}

function formatChecksumHint({ form, strings }: LogsState): string | undefined {
  const invalid = findWrongChecksums(form.value.address);
  return invalid.length === 0 ? undefined : fillTemplate(strings.wrongChecksum, invalid.join(', '));
}

/** The time of a bound in UTC; undefined if it is no time. */
function formatTimeHint(
  text: string,
  field: 'fromBlock' | 'toBlock',
  strings: LogsStrings,
): string | undefined {
  try {
    const time = parseTimeTag(text, field, field === 'fromBlock' ? 'start' : 'end');
    return time && fillTemplate(field === 'fromBlock' ? strings.firstSince : strings.lastUntil, time);
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

/** The topic0 of a typed signature, for checking, and how to get fields for its parameters. */
function formatEventHints(
  event: string,
  strings: LogsStrings,
): { readonly hint: string | undefined; readonly info: string | undefined } {
  const none = { hint: undefined, info: undefined };
  if (event.trim() === '' || event.trim().startsWith('0x')) return none;
  try {
    const { topic0, signature } = parseEventSignature(event);
    const isPlain = parseDeclaredEvent(event) === undefined && !signature.endsWith('()');
    return { hint: isPlain ? strings.plainEvent : undefined, info: fillTemplate(strings.topic0, topic0) };
  } catch (error) {
    if (isAppError(error, 'badInput')) return none;
    throw error;
  }
}

/** A button that shows or hides a part of the form. */
function DisclosureButton(props: {
  readonly open: Signal<boolean>;
  readonly controls: string;
  readonly label: string;
}) {
  const { open, controls, label } = props;
  return (
    <button
      type="button"
      class="plain"
      aria-expanded={open.value}
      aria-controls={open.value ? controls : undefined}
      onClick={() => {
        open.value = !open.value;
      }}
    >
      <span aria-hidden="true">{open.value ? '▾' : '▸'}</span> {label}
    </button>
  );
}

function ArgumentFields({
  state,
  fields,
  onEnter,
}: {
  readonly state: LogsState;
  readonly fields: readonly EventArgument[];
  readonly onEnter: () => void;
}) {
  const { strings } = state;
  return (
    <fieldset class="arguments">
      <legend class="unseen">{strings.parameters}</legend>
      <div class="fields arguments">
        {fields.map((argument) => (
          <ArgumentField key={argument.key} state={state} argument={argument} onEnter={onEnter} />
        ))}
      </div>
      <div class="hint">{strings.several}</div>
    </fieldset>
  );
}

function ArgumentField({
  state,
  argument,
  onEnter,
}: {
  readonly state: LogsState;
  readonly argument: EventArgument;
  readonly onEnter: () => void;
}) {
  const { strings } = state;
  const { knowledgeVersion } = state.snapshot.value;
  const { parameter, position, key } = argument;
  const field = getArgumentField(key);
  const text = getFieldText(state.form.value, field);
  const props = {
    id: `argument${position}`,
    label: parameter.name || fillTemplate(strings.unnamed, String(position)),
    type: parameter.type.text,
    placeholder: formatPlaceholder(parameter.type, strings),
    value: text,
    hint: state.facts.value?.names[field] ?? formatHashHint(argument, text),
    problem: state.fieldErrors.value[field],
    onInput: (value: string) => changeField(state, field, value),
    onLeave: () => void leaveField(state, field),
    onEnter,
  };
  const { kind } = parameter.type;
  if (kind === 'address') {
    return (
      <Combobox
        {...props}
        suggest={(value, options) => suggestAddresses(state, value, options)}
        complete={completeListItem}
        oneLine={joinListLines}
        listStrings={strings}
        version={knowledgeVersion}
      />
    );
  }
  // An enum of Solidity is a uint8. Its field keeps the focus when its members become known.
  const isByte = parameter.type.kind === 'uint' && parameter.type.bits === 8;
  const hasMembers = isByte || state.facts.value?.members[field] !== undefined;
  if (kind !== 'bool' && !hasMembers) return <Field {...props} />;
  return (
    <Combobox
      {...props}
      suggest={kind === 'bool' ? completeBool : (value) => suggestMembers(state, field, value)}
      complete={completeListItem}
      listStrings={strings}
      version={knowledgeVersion}
    />
  );
}

function formatPlaceholder(type: AbiType, strings: LogsStrings): string {
  switch (type.kind) {
    case 'address':
      return strings.addressValue;
    case 'bool':
      return strings.boolValue;
    case 'uint':
    case 'int':
      return type.decimals === undefined
        ? fillTemplate(strings.integerValue, ...getIntegerBounds(type).map(formatIntegerBound))
        : formatExactNumber(type, 15n * 10n ** BigInt(type.decimals - 1));
    case 'fixedBytes':
      return fillTemplate(strings.bytesValue, String(type.size * 2));
    case 'string':
      return strings.textValue;
    case 'bytes':
      return strings.dataValue;
    default:
      return strings.hashValue;
  }
}

/** The hashes of text and bytes, for checking. */
function formatHashHint(argument: EventArgument, text: string): string | undefined {
  const { kind } = argument.parameter.type;
  const values = kind === 'string' || kind === 'bytes' ? splitArgument(argument.parameter.type, text) : [];
  if (values.length === 0) return undefined;
  try {
    return `keccak-256 ${encodeArgument(argument, values).join(', ')}`;
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

/** Fields for topic 1 to 3. */
function TopicFields({ event, strings, field, suggest, version }: TopicFieldsProps) {
  return (
    <div class="fields topics" id="topics">
      {([1, 2, 3] as const).map((position) => {
        const name = `topic${position}` as const;
        const props = field(name, strings[name], strings.topicHint);
        return (
          <Combobox
            key={name}
            {...props}
            hint={props.hint ?? formatTopicHint(props.value, event, position)}
            suggest={suggest}
            complete={completeListItem}
            oneLine={joinListLines}
            listStrings={strings}
            version={version}
          />
        );
      })}
    </div>
  );
}

interface TopicFieldsProps {
  /** As typed. Its types determine what a topic may be. */
  readonly event: string;
  readonly strings: LogsStrings;
  readonly field: (name: 'topic1' | 'topic2' | 'topic3', label: string, placeholder: string) => FieldProps;
  readonly suggest: (
    typed: InputText,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly Choice[]>;
  readonly version: number;
}

/** The topics of values that are not typed as topics, with the types that they were parsed as. */
function formatTopicHint(text: string, event: string, position: 1 | 2 | 3): string | undefined {
  const types = listTopicTypes(event, position);
  try {
    const parsed = splitList(text).map((value) => parseTopicText(value, types, 'topic'));
    const shown = parsed.flatMap(({ topic, type }) => (type ? [`${type.text} ${topic}`] : []));
    if (shown.length === 0) return undefined;
    return shown.slice(0, MAX_SHOWN_TOPICS).join(', ') + (shown.length > MAX_SHOWN_TOPICS ? ', …' : '');
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

/** The hint shows this many values of a topic; the filter has them all. */
const MAX_SHOWN_TOPICS = 4;
