describe('the standard of a Transfer', () => {
  it('is ERC-20 where the contract has decimals, and ERC-721 where it claims that', async () => {
    assert.equal(await standardOf({ [DECIMALS]: 6n }), 'erc20');
    assert.equal(await standardOf({ [DECIMALS]: 0n }), 'erc20');
    assert.equal(await standardOf({ [`${FINAL}`]: 1n }), 'erc721');
    assert.equal(await standardOf({ [`${FINAL}`]: 1n, [DECIMALS]: 0n }), 'erc721');
  });

  it('is ERC-721 for contracts that are older than its interface ID', async () => {
    assert.equal(await standardOf({ [`${DRAFT}`]: 1n }), 'erc721');
    assert.equal(await standardOf({ [OWNER_OF]: 0xa11cen }), 'erc721');
    assert.equal(await standardOf({ [APPROVED]: 0n }), 'erc721');
  });

  it('is told by the form where a contract is both, as ERC-404', async () => {
    assert.equal(await standardOf({ [DECIMALS]: 18n, [APPROVED]: 0n }), 'byForm');
    assert.equal(await standardOf({ [DECIMALS]: 18n, [OWNER_OF]: 0xa11cen }), 'byForm');
    assert.equal(await standardOf({ [DECIMALS]: 18n, [`${FINAL}`]: 1n }), 'byForm');
  });

  it('is unknown where the contract tells neither, answers everything alike, or cannot be asked', async () => {
    assert.equal(await standardOf({}), undefined);
    assert.equal(await standardOf({}, 'notOffered'), undefined);
    assert.equal(await standardOf({ '0x': 1n }), undefined);
    assert.equal(await standardOf({ [`${ANYTHING}`]: 1n, [DECIMALS]: 1n, [`${FINAL}`]: 1n }), undefined);
    assert.equal(await standardOf({ [DECIMALS]: 256n, [OWNER_OF]: 0n }), undefined);
    assert.equal(await standardOf({ [OWNER_OF]: 2n ** 200n, [APPROVED]: 7n }), undefined);
  });
});
