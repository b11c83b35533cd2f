import {
  type AbiType,
  type EventArgument,
  encodeArgument,
  formatIntegerBound,
  getArgumentField,
  getFieldText,
  getIntegerBounds,
  isAppError,
  splitArgument,
} from '../../core/index.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fill } from '../../messaging/fill.ts';
import { Combobox } from '../kit/combobox.tsx';
import { Field } from '../kit/field.tsx';
import { leaveField, typed } from './actions.ts';
import { completePart, listOnOneLine } from './parts/listParts.ts';
import type { LogsState } from './state.ts';
import { suggestAddresses, suggestBools } from './suggestions.ts';

/** A field for each indexed parameter of the event. */
export function ArgumentFields({
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
  const { known } = state.snapshot.value;
  const { parameter, position, key } = argument;
  const field = getArgumentField(key);
  const text = getFieldText(state.form.value, field);
  const props = {
    id: `argument${position}`,
    label: parameter.name || fill(strings.unnamed, String(position)),
    type: parameter.type.text,
    placeholder: placeholderOf(parameter.type, strings),
    value: text,
    hint: state.facts.value?.names[field] ?? hashHint(argument, text),
    problem: state.problems.value[field],
    onInput: (value: string) => typed(state, field, value),
    onLeave: () => void leaveField(state, field),
    onEnter,
  };
  const { kind } = parameter.type;
  if (kind === 'address') {
    return (
      <Combobox
        {...props}
        suggest={(value, options) => suggestAddresses(state, value, options)}
        complete={completePart}
        oneLine={listOnOneLine}
        listStrings={strings}
        version={known}
      />
    );
  }
  if (kind !== 'bool') return <Field {...props} />;
  return (
    <Combobox
      {...props}
      suggest={suggestBools}
      complete={completePart}
      listStrings={strings}
      version={known}
    />
  );
}

function placeholderOf(type: AbiType, strings: LogsStrings): string {
  switch (type.kind) {
    case 'address':
      return strings.addressValue;
    case 'bool':
      return strings.boolValue;
    case 'uint':
    case 'int':
      return fill(strings.integerValue, ...getIntegerBounds(type).map(formatIntegerBound));
    case 'fixedBytes':
      return fill(strings.bytesValue, String(type.size * 2));
    case 'string':
      return strings.textValue;
    case 'bytes':
      return strings.dataValue;
    default:
      return strings.hashValue;
  }
}

/** The hashes that stand for text and bytes, so that they can be seen and checked. */
function hashHint(argument: EventArgument, text: string): string | undefined {
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
