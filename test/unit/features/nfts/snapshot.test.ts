import assert from 'node:assert/strict';
import type { NftProvider } from '../../../../src/core/index.ts';
import { NftOffers } from '../../../../src/features/nfts/snapshot.ts';
import type { ProviderAccess } from '../../../../src/host/session/providerAccess.ts';

const label = { name: 'covalent', origin: 'https://data.example', takesKey: true };
const ready: ProviderAccess<'nfts'> = { state: 'ready', provider: { label, offers: {} } as NftProvider };

describe('what a source of NFTs offers', () => {
  it('is that of the newest look-up, which everyone waits for', async () => {
    const answers: ((access: ProviderAccess<'nfts'>) => void)[] = [];
    const provider = () => new Promise<ProviderAccess<'nfts'>>((resolve) => answers.push(resolve));
    let changes = 0;
    const session = { provider } as unknown as ConstructorParameters<typeof NftOffers>[0];
    const offers = new NftOffers(session, () => changes++);
    const older = offers.refresh();
    const newer = offers.refresh();
    answers[0]?.({ state: 'notServed' });
    await Promise.resolve();
    assert.equal(offers.value, undefined);
    answers[1]?.(ready);
    await Promise.all([older, newer]);
    assert.deepEqual(offers.value, { state: 'ready', label, offers: {}, withoutKey: undefined });
    assert.equal(changes, 1);
  });
});
