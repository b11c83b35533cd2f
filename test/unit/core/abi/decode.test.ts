import fc from 'fast-check';
import { arbitraryEvent } from '../../../support/abi/arbitraryAbi.ts';
import { arbitraryLogOf } from '../../../support/abi/arbitraryLog.ts';
import { equalsViem, isNeverWrong } from '../../../support/abi/decodingChecks.ts';
import { mutated } from '../../../support/abi/mutatedLog.ts';

const arbitraryLog = arbitraryEvent.chain(arbitraryLogOf);

describe('decoded event', () => {
  it('has the values that viem gives, whatever its types are', () => {
    fc.assert(fc.property(arbitraryLog, equalsViem), { numRuns: 300 });
  });

  it('is never thrown over and never wrong, whatever is done to the log', () => {
    fc.assert(
      fc.property(mutated(arbitraryLog), (log) => void isNeverWrong(log)),
      { numRuns: 1000 },
    );
  });
});
