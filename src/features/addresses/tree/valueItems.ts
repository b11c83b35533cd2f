import * as vscode from 'vscode';
import {
  type Address,
  abiValueToJson,
  formatAbiValue,
  formatShortAddress,
  formatUnits,
  parseArguments,
  toChecksumAddress,
} from '../../../core/index.ts';
import { createCommand } from '../../../host/commands.ts';
import { describeError } from '../../../host/errors.ts';
import { getAvailableValue } from '../../../host/loading.ts';
import { formatViewValue, getReturnedUnits } from '../../../host/readValues.ts';
import type { TreeRow } from '../../../host/ui/tree.ts';
import { createErrorRow, createRow, listRowTokens } from '../../../host/ui/treeItem.ts';
import {
  formatBalanceOrigin,
  formatChange,
  formatLastRead,
  formatSpokenChange,
} from '../balances/formatBalance.ts';
import { getWatchedAmount, type WatchedValue, type WatchedValues } from '../values/watchedValues.ts';
import type { WatchedView } from '../values/watchedViews.ts';
import { type ValueNode, valueGroup } from './addressNodes.ts';
import { type BalanceRowContext, formatRawAmount } from './holdingItems.ts';

export function createValueNode(view: WatchedView, values: WatchedValues): ValueNode {
  const figure = values.get(view);
  const value = getAvailableValue(figure);
  const isAmount = value?.outcome.state === 'returned' && value.outcome.units !== undefined;
  return {
    kind: 'value',
    view,
    contract: view.contract,
    item: values.functionOf(view),
    figure,
    change: values.change(view),
    copyText: value && formatExactValue(value),
    rawAmount: isAmount ? getWatchedAmount(value)?.toString() : undefined,
  };
}

/** Several values are a list in JSON. */
function formatExactValue(value: WatchedValue): string | undefined {
  if (value.outcome.state !== 'returned') return undefined;
  const { units, result } = value.outcome;
  const amount = getWatchedAmount(value);
  if (units && amount !== undefined) return formatUnits(amount, units.decimals);
  const all = result.outputs.map(({ type }, index) => abiValueToJson(type, result.values[index] ?? ''));
  const json = all.length === 1 ? all[0] : all;
  return typeof json === 'string' ? json : JSON.stringify(json);
}

interface ValueRowContext extends BalanceRowContext {
  nameOf(address: Address): string | undefined;
}

/** A click opens the contract in the panel that reads it. */
export function createValueRow(node: ValueNode, context: ValueRowContext): TreeRow {
  const { l10n } = vscode;
  const { figure, change, view, contract, item, rawAmount } = node;
  const { session, clock, nameOf, onTooltip } = context;
  const { network } = session;
  const describe = (error: unknown) => describeError(error, { service: 'endpoint', network });
  const failure = figure.state === 'failed' ? describe(figure.error) : undefined;
  const call = formatCall(node, context);
  const checksummed = toChecksumAddress(contract);
  const formatPlace = (address: Address) => nameOf(address) ?? formatShortAddress(toChecksumAddress(address));
  const place = [
    formatPlace(contract),
    ...(view.from ? [l10n.t('Sender: {0}', formatPlace(view.from))] : []),
  ].join(' · ');
  const command = createCommand(
    'chainside.readContract',
    l10n.t('Read Contract…'),
    checksummed,
    item?.selector,
    view.args,
    view.from ?? '',
  );
  const value = getAvailableValue(figure);
  if (!value) {
    const row = failure
      ? createErrorRow(call, failure, failure.remedies[0])
      : createRow(`${call}…`, 'loading~spin', { description: place });
    return { ...row, tokens: listRowTokens({ watchedValue: true }), command: row.command ?? command };
  }
  const { outcome } = value;
  const decimals = outcome.state === 'returned' ? (outcome.units?.decimals ?? 0) : 0;
  const refusal = outcome.state === 'refused' ? describe(outcome.error).message : undefined;
  const label = refusal === undefined ? `${call} = ${formatValues(node, context)}` : call;
  const details = [
    ...(change === undefined ? [] : [formatChange(change, decimals)]),
    ...(refusal === undefined ? [] : [isAbsent(outcome) ? l10n.t('no contract') : refusal]),
    place,
    ...(failure ? [formatLastRead(value, clock)] : []),
  ];
  const icon = refusal === undefined ? 'symbol-field' : 'circle-slash';
  return {
    ...createRow(label, failure ? 'warning' : icon, {
      description: details.join(' · '),
      tooltip: () => {
        onTooltip(valueGroup);
        return [
          label,
          rawAmount && formatRawAmount(BigInt(rawAmount)),
          refusal,
          l10n.t('Contract: {0}', checksummed),
          view.from && l10n.t('Sender: {0}', toChecksumAddress(view.from)),
          formatBalanceOrigin(value, network, clock),
          failure && l10n.t('Could not refresh: {0}', failure.message),
        ];
      },
    }),
    accessibleLabel: [
      label,
      ...(change === undefined ? [] : [formatSpokenChange(change, decimals)]),
      ...(change === undefined ? details : details.slice(1)),
    ].join(', '),
    tokens: listRowTokens({
      watchedValue: true,
      value: node.copyText !== undefined,
      raw: rawAmount !== undefined,
    }),
    command,
  };
}

const MAX_VALUE_CHARS = 120;
const MAX_ARGUMENT_CHARS = 40;

/** `totalSupply`, `balanceOf(Treasury)` */
function formatCall({ item, view }: ValueNode, { nameOf }: ValueRowContext): string {
  if (!item) return view.declaration;
  if (item.inputs.length === 0) return item.name;
  const values = parseArguments(item.inputs, view.args);
  const args = item.inputs.map(({ type }, index) => {
    const value = values[index] ?? '';
    if (type.kind === 'address')
      return nameOf(value as Address) ?? formatShortAddress(toChecksumAddress(value as Address));
    return formatAbiValue(type, value, { most: MAX_ARGUMENT_CHARS, onlyMembers: true });
  });
  return `${item.name}(${args.join(', ')})`;
}

/** The outputs of the function have the enums that are known now, unless its result was not decoded. */
function formatValues({ figure, item }: ValueNode, { nameOf }: ValueRowContext): string {
  const outcome = getAvailableValue(figure)?.outcome;
  if (outcome?.state !== 'returned') return '';
  const { result } = outcome;
  const outputs = result.undecoded === undefined && item ? item.outputs : result.outputs;
  const texts = outputs.map((output, index) => {
    const read = result.outputs[index]?.type;
    const type = read && getReturnedUnits(read) ? read : output.type;
    return formatViewValue(type, result.values[index] ?? '', {
      nameOf,
      most: MAX_VALUE_CHARS,
      l10n: vscode.l10n,
    });
  });
  return texts.join(', ');
}

function isAbsent(outcome: WatchedValue['outcome']): boolean {
  return outcome.state === 'refused' && outcome.error.kind === 'notAContract';
}
