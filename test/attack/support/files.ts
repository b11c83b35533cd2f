/** A file that means harm to whoever opens it. */
export interface FileAttack {
  readonly name: string;
  readonly file: string;
  readonly text: () => string;
  readonly short?: true;
}

const repeated = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;

export const fileAttacks: readonly FileAttack[] = [
  {
    name: 'a string of escaped quotes',
    short: true,
    file: 'Quotes.sol',
    text: () => `"${'\\"'.repeat(150_000)}`,
  },
  { name: 'a string without an end on every line', file: 'Strings.sol', text: () => '"\\\n'.repeat(200_000) },
  { name: 'comments that begin again and again', file: 'Comments.sol', text: () => '/*'.repeat(450_000) },
  {
    name: 'an event of 900 KB',
    file: 'LongEvent.sol',
    text: () => `event E(${'uint256 a, '.repeat(80_000)}`,
  },
  { name: 'events without an end', file: 'OpenEvents.sol', text: () => 'event E('.repeat(110_000) },
  {
    name: 'events of deep tuples',
    file: 'Tuples.sol',
    text: () => repeated(200, () => `event E(${'('.repeat(4000)});`),
  },
  {
    name: '50,000 events',
    short: true,
    file: 'Events.sol',
    text: () => repeated(40_000, (index) => `event E${index}(uint a);`),
  },
  { name: '10,000 addresses', file: 'addresses.txt', text: () => repeated(10_000, address) },
  { name: 'a line of 5 MB of hex', file: 'hex.txt', text: () => `0x${'ab'.repeat(2_500_000)}` },
  { name: 'addresses on one line of 4 MB', file: 'line.txt', text: () => `${address(7)} `.repeat(95_000) },
];
