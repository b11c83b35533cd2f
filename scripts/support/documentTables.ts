import { readFileSync } from 'node:fs';
import { importTable } from '../../test/support/importTable.ts';
import { fromRoot } from './paths.ts';

/** A table of a document that is written out of the manifest or of another table. */
export interface DocumentTable {
  readonly document: string;
  /** The line above the rule; there is one such line in the document. */
  readonly head: string;
  readonly rows: readonly (readonly string[])[];
}

interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

const readJson = (path: string) => JSON.parse(readFileSync(fromRoot(path), 'utf8'));
const code = (text: string) => `\`${text}\``;

export function documentTables(): readonly DocumentTable[] {
  const { contributes } = readJson('package.json');
  const words: Readonly<Record<string, string>> = readJson('package.nls.json');
  const textOf = (placeholder: string) => words[placeholder.replaceAll('%', '')] ?? '';
  return [
    {
      document: 'README.md',
      head: '| Command | Id | What it does |',
      rows: commandRows(contributes, textOf),
    },
    {
      document: 'README.md',
      head: '| Setting | Default | Meaning |',
      rows: Object.entries<Setting>(contributes.configuration.properties).map(([id, setting]) => [
        code(id),
        code(JSON.stringify(setting.default)),
        meaningOf(setting, textOf),
      ]),
    },
    {
      document: 'ARCHITECTURE.md',
      head: '| from | may import, beside itself | packages |',
      rows: importTable
        .filter(({ shown }) => shown !== false)
        .map(({ name, may, packages }) => [
          name,
          may.join(', ') || '–',
          packages.map(code).join(', ') || '–',
        ]),
    },
  ];
}

/** The commands of the palette, in the order of the manifest. */
function commandRows(
  contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: {
      readonly commandPalette: readonly { readonly command: string; readonly when: string }[];
    };
  },
  textOf: (placeholder: string) => string,
): readonly (readonly string[])[] {
  const hidden = new Set(
    contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  return contributes.commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, title }) => [
      textOf(title),
      code(command),
      textOf(`${title.replaceAll('%', '')}.about`),
    ]);
}

function meaningOf(setting: Setting, textOf: (placeholder: string) => string): string {
  const { scope, minimum, maximum } = setting;
  const values = (setting.markdownEnumDescriptions ?? []).map(
    (text, place) => `${code(setting.enum?.[place] ?? '')}: ${textOf(text)}`,
  );
  return [
    textOf(setting.markdownDescription).replaceAll(/`#([\w.]+)#`/g, '`$1`'),
    ...values,
    ...(minimum === undefined ? [] : [`From ${minimum} to ${maximum}.`]),
    ...(scope === 'application' ? ['User settings only.'] : []),
  ].join(' ');
}

/** The document with the table's rows in place of those that it has. */
export function withTable(text: string, { document, head, rows }: DocumentTable): string {
  const lines = text.split('\n');
  const start = lines.indexOf(head);
  if (start < 0) throw new Error(`${document} has no table with the head ${head}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const written = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [...lines.slice(0, start + 2), ...written, ...lines.slice(end)].join('\n');
}
