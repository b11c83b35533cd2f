import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import { describeConformance, ordersOf } from '../../../support/conformance.ts';

for (const dialect of Object.keys(dialects) as DialectName[]) {
  for (const order of ordersOf(dialect)) {
    if (order !== undefined) describeConformance(dialect, order);
  }
}
