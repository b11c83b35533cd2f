import { parseArgs } from 'node:util';

/** What the command line of a campaign has beside tests to run. */
export const campaignOptions = {
  short: { type: 'boolean' },
  seed: { type: 'string' },
  node: { type: 'string' },
} as const;

const { values } = parseArgs({ strict: false, options: campaignOptions });

/** How the campaign is run, from the command line. */
export const campaign = {
  /** A part of the attacks, for every run of the tests. */
  short: values.short === true,
  /** What random attacks are made from. */
  seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  /** The Node that runs the command line; default: the one that runs the attacks. */
  node: typeof values.node === 'string' ? values.node : process.execPath,
} as const;

/** All of `attacks`, or in the short form those that stand for the others. */
export function chosen<T extends { readonly short?: true }>(attacks: readonly T[]): readonly T[] {
  return campaign.short ? attacks.filter(({ short }) => short) : attacks;
}

/** All of `texts` by their names, or in the short form every sixteenth. */
export function chosenTexts(texts: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  const all = Object.entries(texts);
  return campaign.short ? all.filter((_, index) => index % 16 === 0) : all;
}
