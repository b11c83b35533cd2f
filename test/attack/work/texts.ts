import { formatMessageLine } from '../../../src/cli/output.ts';
import { sanitizeName } from '../../../src/core/base/names.ts';
import { createMessage, foreign, formatMessage } from '../../../src/core/base/text.ts';
import { quoteForShell } from '../../../src/core/copyAs/shell.ts';
import { formatCsvCell } from '../../../src/core/export/textFormats.ts';
import { createTimeSlices, systemClock } from '../../../src/core/index.ts';
import {
  listQuotes,
  messageText,
  splitReasons,
  untrustedText,
} from '../../../src/core/operations/agentText.ts';
import { markUntrusted } from '../../../src/core/operations/result.ts';
import { decodeText } from '../../../src/core/rpc/ethCall.ts';
import { redactHexData } from '../../../src/core/secrets/redactHexData.ts';
import { toTeamNamesInSlices } from '../../../src/host/names/addressNames.ts';
import { parseLabelsFile } from '../../../src/host/names/labelsFile.ts';
import {
  escapeLogRecord,
  escapeMarkdown,
  escapeMarkdownCode,
  escapeUiText,
} from '../../../src/host/ui/untrustedText.ts';
import { below, type Chance, pick, repeatUnits } from './random.ts';
import type { Work } from './work.ts';

const KEY = 'Zk3_0123456789abcdef0123456789aQ';
const hexOf = (text: string) => Buffer.from(text).toString('hex');

/** Characters that are folded, hidden, joined or escaped, and beginnings of what is searched for. */
const characters = [
  ...['0x', '0', 'x', '5FbD', '…', '...', '.', ' ', ':', '-', '_', '0ҳ', 'ꓐ', 'θ', '×', 'ﷺ', '２', '𝟢', 'a'],
  ...[
    '\u0301',
    '\u200b',
    '\u202e',
    '\u2800',
    '\ud800',
    '\u001b[2J',
    '\r\n',
    '\0',
    '\ufe0f',
    '👩‍🔬',
    '\u{e0041}',
  ],
  ...[
    '##[',
    '##',
    '::',
    '---',
    '[a](b)',
    '`',
    '<b>',
    '|',
    '\\',
    '$(x)',
    '*',
    'http://',
    '%0A',
    '"',
    ', ',
    '(',
    ')',
  ],
];

const makeText = (size: number, chance: Chance) => repeatUnits(chance, Math.max(1, size / 2), characters);

/** Labels whose names are many small texts, or a few large ones. */
function makeLabels(size: number, chance: Chance): string {
  const length = pick(chance, [2, 40, 64, 500, 20_000]);
  const count = Math.max(1, Math.floor(size / (length * 2 + 80)));
  const labels = Array.from({ length: count }, (_, index) => ({
    address: `0x${index.toString(16).padStart(40, 'a')}`,
    name: repeatUnits(chance, length, characters),
    ...(chance() < 0.1 && { chainId: below(chance, 99) }),
  }));
  return JSON.stringify({ labels });
}

/** A text as a contract returns it, with any length and padding. */
function makeAbiText(size: number, chance: Chance): `0x${string}` {
  const bytes = hexOf(makeText(size / 3, chance));
  const length = pick(chance, [bytes.length / 2, 0, 31, 2 ** 31, size]);
  const word = (value: number) => Math.floor(value).toString(16).padStart(64, '0');
  return `0x${word(pick(chance, [32, 0, 64, size]))}${word(length)}${bytes}`;
}

/** A body of hex with the key, its beginnings, and what only looks like it. */
const makeData = (size: number, chance: Chance) =>
  `0x${repeatUnits(chance, size, [
    ...[
      hexOf(KEY),
      hexOf(KEY.toLowerCase()),
      hexOf(KEY.slice(0, 16)),
      hexOf(KEY.slice(0, 15)),
      hexOf(KEY.slice(1)),
    ],
    ...[hexOf(hexOf(KEY)), hexOf(btoa(KEY)), '5a', '00', '5', hexOf('Zk3_'), '"', '0x', ' '],
  ])}`;

export const textsWork: readonly Work[] = [
  {
    name: 'a name of a token or a label',
    most: 1024 * 1024,
    make: makeText,
    run: (text) => sanitizeName(text as string),
  },
  {
    name: 'a file of labels',
    most: 1024 * 1024,
    make: makeLabels,
    run: (text) =>
      toTeamNamesInSlices(
        parseLabelsFile(text as string)?.labels ?? [],
        'labels.json',
        createTimeSlices(systemClock),
      ),
  },
  {
    name: 'a text of a contract',
    most: 1024 * 1024,
    make: makeAbiText,
    run: (hex) => sanitizeName(decodeText(hex as `0x${string}`) ?? ''),
  },
  {
    name: 'a text of others in a message for an agent',
    most: 1024 * 1024,
    make: makeText,
    run(input) {
      const text = input as string;
      const message = createMessage('{0} is {1}.', foreign(text), createMessage('not {0}', foreign(text)));
      return [
        ...[messageText(message), listQuotes(message), splitReasons([message, message])],
        ...[untrustedText(text), markUntrusted({ name: text, list: [text, { text }] })],
      ];
    },
  },
  {
    name: 'a text of others in the editor, a terminal and CI',
    most: 1024 * 1024,
    make: makeText,
    run(input) {
      const text = input as string;
      return [
        ...[escapeMarkdown(text), escapeUiText(text, 500), escapeLogRecord(text), formatMessageLine(text)],
        ...[escapeMarkdownCode(text), formatCsvCell(text), quoteForShell(text)],
        formatMessage(createMessage('{0}', foreign(text))),
      ];
    },
  },
  {
    name: 'hex data that repeats a key',
    most: 16 * 1024 * 1024,
    make: makeData,
    run: (text) => redactHexData(text as string, KEY, createTimeSlices(systemClock)),
  },
];
