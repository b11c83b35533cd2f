import { type DialectName, dialects } from '../../../../localnet/explorer/dialects.ts';
import { describeConformance, ordersOf } from '../../../support/conformance.ts';

// Those whose address query has an order; the others are in conformanceUnordered.test.ts, to run beside this file.
for (const dialect of Object.keys(dialects) as DialectName[]) {
  const [order] = ordersOf(dialect);
  if (order === undefined) describeConformance(dialect, order);
}
