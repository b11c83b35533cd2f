import { AppError } from '../../base/errors.ts';

/**
 * A picture that came and is not shown.
 *
 * - `kind`: of none of the kinds that are shown.
 * - `size`: it takes too much memory or time to draw.
 * - `drawing`: an SVG with something in it that is refused; `what` names that, or what there is too much of.
 */
export class PictureRefusal extends AppError {
  readonly reason: 'drawing' | 'kind' | 'size';
  readonly what: string | undefined;

  constructor(reason: PictureRefusal['reason'], message: string, what?: string) {
    super('badResponse', message);
    this.reason = reason;
    this.what = what;
  }
}
