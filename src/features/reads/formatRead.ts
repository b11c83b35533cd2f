import {
  type AbiFunction,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type AppError,
  abiValueToJson,
  formatArgumentExample,
  formatWrittenType,
  type ReadResult,
  sanitizeText,
} from '../../core/index.ts';
import { formatValidationError, type Localizer, localize } from '../../host/l10n.ts';
import { formatNumber } from '../../host/numbers.ts';
import { formatViewValue, getReturnedUnits, type ViewFormat } from '../../host/readValues.ts';
import { createMemberSuggestions } from '../../host/suggestions.ts';
import type { WireInput, WireRead, WireValue } from './protocol.ts';

/** More items of a list are only counted. */
const MAX_PARTS = 200;

/** A result for the view: structs and lists as trees, addresses by name, an amount in units before the exact one. */
export function toWireRead({ item, outputs, values, undecoded }: ReadResult, format: ViewFormat): WireRead {
  return {
    state: 'returned',
    values: outputs.map(({ name, type }, index) =>
      toWireValue(name, type, values[index] as AbiValue, { ...format, name: item.name }),
    ),
    note: undecoded && localize(undecoded, format.l10n),
  };
}

function toWireValue(name: string, type: AbiType, value: AbiValue, format: ViewFormat): WireValue {
  const json = abiValueToJson(type, value);
  const text = formatViewValue(type, value, { ...format, name: name || format.name });
  const parts = listParts(type, value).map((part) => toWireValue(part.name, part.type, part.value, format));
  const others = type.kind === 'array' && Array.isArray(json) ? json.slice(parts.length) : [];
  if (others.length > 0) {
    const text = format.l10n.t('{0} more', formatNumber(BigInt(others.length)));
    parts.push({ name: '…', type: '', text, exact: JSON.stringify(others) });
  }
  return {
    name,
    type: formatWrittenType(type),
    text: getReturnedUnits(type) && typeof value === 'bigint' ? `${text} (${value})` : text,
    exact: typeof json === 'string' ? json : JSON.stringify(json),
    ...(parts.length > 0 && { parts }),
  };
}

function listParts(type: AbiType, value: AbiValue) {
  if (!Array.isArray(value)) return [];
  const values = value.slice(0, MAX_PARTS) as readonly AbiValue[];
  if (type.kind === 'array')
    return values.map((item, index) => ({ name: `[${index}]`, type: type.item, value: item }));
  if (type.kind !== 'tuple') return [];
  return type.members.map((member, index) => ({ ...member, value: values[index] as AbiValue }));
}

/** Why a function could not be read. */
export function toWireFailure(
  error: AppError,
  describe: string,
  { inputs }: Pick<AbiFunction, 'inputs'>,
  l10n: Localizer,
): WireRead {
  const { field = '' } = error.details;
  const input = inputs.findIndex(({ name }, index) => {
    const own = `args.${name || index}`;
    return field === own || field.startsWith(`${own}.`) || field.startsWith(`${own}[`);
  });
  const place = field.replace(/^args\./, '');
  const nested = input >= 0 && place !== (inputs[input]?.name || String(input)) ? `${place}: ` : '';
  return {
    state: 'failed',
    message: sanitizeText(input < 0 ? describe : `${nested}${formatValidationError(error, l10n)}`, 600),
    input: input < 0 ? undefined : input,
  };
}

/** The inputs of a function, each with an example. */
export function toWireInputs(parameters: readonly AbiParameter[]): readonly WireInput[] {
  return parameters.map(({ name, type }) => ({
    name,
    type: formatWrittenType(type),
    example: formatArgumentExample(type),
    members: type.kind === 'uint' && type.enumeration ? createMemberSuggestions(type.enumeration) : [],
    item: type.kind === 'array' ? toWireInputs([{ name: '', type: type.item }])[0] : undefined,
    fields: type.kind === 'tuple' ? toWireInputs(type.members) : [],
  }));
}
