import { readFileSync } from 'node:fs';
import { COMMANDS, OPTIONS, type OptionName } from '../../src/cli/commandTable.ts';
import { EXIT_CODES } from '../../src/cli/exitCode.ts';
import { formatOption } from '../../src/cli/help.ts';
import { logsPanelType, nftPanelType } from '../../src/manifest.ts';
import { importTable } from '../../test/support/importTable.ts';
import { boundRows } from './boundTable.ts';
import { fromRoot } from './paths.ts';

/** A table of a document that is generated from the manifest, the commands or the table of imports. */
export interface DocumentTable {
  readonly document: string;
  /** The line above the rule; the document has it once. */
  readonly head: string;
  readonly rows: readonly (readonly string[])[];
}

interface KeyBinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
}

interface View {
  readonly id: string;
  readonly name: string;
  readonly visibility?: string;
}

interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly markdownDeprecationMessage?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const readJson = (path: string) => JSON.parse(readFileSync(fromRoot(path), 'utf8'));
const code = (text: string) => `\`${text}\``;

export function documentTables(): readonly DocumentTable[] {
  const { contributes } = readJson('package.json');
  const texts: Readonly<Record<string, string>> = readJson('package.nls.json');
  const textOf = (placeholder: string) => texts[placeholder.replaceAll('%', '')] ?? '';
  const groups: readonly { readonly properties: Record<string, Setting> }[] = contributes.configuration;
  const settings = groups.flatMap(({ properties }) => Object.entries(properties));
  const views: readonly View[] = Object.values<readonly View[]>(contributes.views).flat();
  return [
    {
      document: 'docs/reference.md',
      head: '| Command | Id | What it does |',
      rows: commandRows(contributes, textOf),
    },
    {
      document: 'docs/reference.md',
      head: '| Command | Keys | On macOS | Where |',
      rows: keyBindingRows(contributes, textOf),
    },
    {
      document: 'docs/reference.md',
      head: '| View | Id | What it shows |',
      rows: views.map(({ id, name, visibility }) => [
        textOf(name),
        code(id),
        textOf(aboutOf(name)) + (visibility === 'collapsed' ? ' Folded at first.' : ''),
      ]),
    },
    {
      document: 'docs/reference.md',
      head: '| Setting | Default | Meaning |',
      rows: settings
        .filter(([, { markdownDeprecationMessage }]) => markdownDeprecationMessage === undefined)
        .map(([id, setting]) => [
          code(id),
          code(JSON.stringify(setting.default)),
          meaningOf(setting, textOf),
        ]),
    },
    {
      document: 'docs/cli.md',
      head: '| Command | Prints |',
      rows: Object.entries(COMMANDS).map(([name, { takes, summary }]) => [
        linkCommand(name, code(`${name} ${takes}`.replace(/ ?\[?--rpc URL\]?/, ''))),
        summary,
      ]),
    },
    {
      document: 'docs/cli.md',
      head: '| Option | For | Meaning |',
      rows: Object.entries(OPTIONS).map(([name, { about }]) => [
        code(formatOption(name as OptionName)),
        listCommands(name as OptionName),
        about,
      ]),
    },
    {
      document: 'docs/cli.md',
      head: '| Exit code | Meaning |',
      rows: Object.entries(EXIT_CODES),
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
    { document: 'SECURITY.md', head: '| What | Bound | Held by |', rows: boundRows() },
  ];
}

/** Links a command to the heading of the manual that names it. */
function linkCommand(name: string, label: string): string {
  const manual = readFileSync(fromRoot('docs', 'cli.md'), 'utf8');
  const headings = [...manual.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  const heading = headings.find((text) => text.split(/\W+/).includes(name));
  return heading === undefined ? label : `[${label}](#${heading.replaceAll(',', '').replaceAll(' ', '-')})`;
}

/** The commands that have an option, or that the endpoint is asked. */
function listCommands(option: OptionName): string {
  const commands = Object.entries(COMMANDS).filter(([, { options }]) => options.includes(option));
  return commands.length === 0 ? 'all' : commands.map(([name]) => code(name)).join(', ');
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
    .map(({ command, title }) => [textOf(title), code(command), textOf(aboutOf(title))]);
}

/** What is said in documents alone of a command or a view with that title. */
const aboutOf = (title: string) => `${title.replaceAll('%', '')}.about`;

function keyBindingRows(
  contributes: {
    readonly keybindings: readonly KeyBinding[];
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly views: Readonly<Record<string, readonly View[]>>;
  },
  textOf: (placeholder: string) => string,
): readonly (readonly string[])[] {
  const titles = new Map(contributes.commands.map(({ command, title }) => [command, textOf(title)]));
  const views = new Map(
    Object.values(contributes.views)
      .flat()
      .map(({ id, name }) => [id, `the *${textOf(name)}* view`]),
  );
  const places = new Map([...views, ...Object.entries(panelNames)]);
  return contributes.keybindings.map(({ command, key, mac, when }) => {
    const [, place = ''] = /(?:focusedView|activeWebviewPanelId) == '([\w.]+)'/.exec(when) ?? [];
    return [
      titles.get(command) ?? '',
      formatKeys(key),
      mac === undefined ? formatKeys(key) : formatMacKeys(mac),
      places.get(place) ?? '',
    ];
  });
}

const panelNames: Readonly<Record<string, string>> = {
  [logsPanelType]: 'a log panel',
  [nftPanelType]: 'an NFT panel',
};

/** `ctrl+enter` is `Ctrl+Enter`. */
const formatKeys = (keys: string) =>
  keys.replaceAll(/\w+/g, (key) => key.charAt(0).toUpperCase() + key.slice(1));

const macKeys: Readonly<Record<string, string>> = {
  cmd: '⌘',
  ctrl: '⌃',
  alt: '⌥',
  shift: '⇧',
  enter: 'Enter',
  backspace: 'Backspace',
};

/** `cmd+shift+enter` is `⇧⌘Enter`, in the order in which macOS writes modifiers. */
function formatMacKeys(keys: string): string {
  const order = ['ctrl', 'alt', 'shift', 'cmd'];
  const parts = keys.split('+');
  const sorted = [
    ...order.filter((key) => parts.includes(key)),
    ...parts.filter((key) => !order.includes(key)),
  ];
  return sorted.map((key) => macKeys[key] ?? key.toUpperCase()).join('');
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

/** The document with its rows replaced by those of the table. */
export function withTable(text: string, { document, head, rows }: DocumentTable): string {
  const lines = text.split('\n');
  const start = lines.indexOf(head);
  if (start < 0) throw new Error(`${document} has no table with the head ${head}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const written = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [...lines.slice(0, start + 2), ...written, ...lines.slice(end)].join('\n');
}
