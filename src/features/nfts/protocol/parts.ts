/** The parts of the panel, each of which is asked for by itself. */
export const partNames = ['contract', 'token', 'picture', 'transfers'] as const;
export type PartName = (typeof partNames)[number];

export const nftActions = [
  'contract',
  'contractFromDataApi',
  'token',
  'tokenFromContract',
  'metadata',
  'picture',
  'transfers',
  'transfersFromLogs',
  'setKey',
] as const;
/** What a button of the view can ask for, and so may a command of the editor. */
export type NftAction = (typeof nftActions)[number];

const aboutTypedToken: ReadonlySet<NftAction> = new Set([
  'token',
  'tokenFromContract',
  'transfers',
  'transfersFromLogs',
]);

/** Whether it is about the token whose id is typed; a picture is of the token that is shown. */
export function isAboutTypedToken(action: NftAction): boolean {
  return aboutTypedToken.has(action);
}
