/**
 * Why a drawing is not shown: `what` is the name of what is in it, or one of `form` (not well formed, or written
 * otherwise than it is read), `length` (too much of something), `link`, `script`, `size`, `style`.
 */
export class SvgRefusal extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`The drawing is not shown for its ${what}.`);
    this.name = 'SvgRefusal';
    this.what = what;
  }
}
