/**
 * Why nothing is written at a place. `appeared` and `changed` are what another program did while the file was made;
 * `full`: so much was written that other programs would be left without room.
 */
export type RefusalReason =
  | 'folder'
  | 'special'
  | 'links'
  | 'protected'
  | 'name'
  | 'same'
  | 'appeared'
  | 'changed'
  | 'full';

/** A place where no file can be written without harm to what is there. */
export class PlaceRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, options?: ErrorOptions) {
    super(`The place is refused: ${reason}`, options);
    this.name = 'PlaceRefused';
    this.reason = reason;
  }
}
