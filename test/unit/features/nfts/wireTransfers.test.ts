import assert from 'node:assert/strict';
import { type NftTransfer, toChecksumAddress } from '../../../../src/core/index.ts';
import { transferColumnIds } from '../../../../src/features/nfts/protocol.ts';
import {
  formatTransferCell,
  formatTransferId,
  toWireTransfer,
  transferToJson,
} from '../../../../src/features/nfts/transferRows.ts';
import { createTimeFormats } from '../../../../src/host/formatting.ts';

const transfer: NftTransfer = {
  ...{ standard: 'erc1155', tokenId: 2n ** 255n, amount: 2n ** 128n, position: 2, logIndex: 7 },
  ...{ from: `0x${'00'.repeat(20)}`, to: '0x5fbdb2315678afecb367f032d93f642f64180aa3' },
  ...{ blockNumber: 12n, transactionHash: `0x${'22'.repeat(32)}`, time: Date.UTC(2026, 0, 2, 3, 4, 5) },
};

const showing = {
  formats: createTimeFormats('en'),
  nameOf: (address: string) => (address === transfer.to ? 'Treasury' : undefined),
};

describe('transfer on the wire', () => {
  it('keeps every digit and says when it was', () => {
    const { time, ...rest } = toWireTransfer(transfer, showing);
    assert.match(time?.hint ?? '', /2026.*:04:05/);
    assert.deepEqual(rest, {
      ...{ transfer: '12-7-2', kind: 'mint', block: '12', amount: (2n ** 128n).toString() },
      from: { text: '0x0000…0000', hint: `0x${'00'.repeat(20)}` },
      to: { text: 'Treasury', hint: `Treasury\n${toChecksumAddress(transfer.to)}` },
      transaction: transfer.transactionHash,
    });
  });

  it('has no time where none is told', () => {
    const untimed = { ...transfer, time: undefined };
    assert.equal(toWireTransfer(untimed, showing).time, undefined);
    assert.equal(formatTransferCell(untimed, 'time'), '');
    assert.equal(JSON.parse(transferToJson(untimed, { chainId: 5, contract: '0x' })).time, null);
  });

  it('is copied whole, in forms that programs read', () => {
    const texts = transferColumnIds.map((column) => formatTransferCell(transfer, column));
    assert.deepEqual(texts, [
      'mint',
      '12',
      '2026-01-02T03:04:05Z',
      `0x${'00'.repeat(20)}`,
      toChecksumAddress(transfer.to),
      (2n ** 128n).toString(),
      transfer.transactionHash,
    ]);
    const json = JSON.parse(transferToJson(transfer, { chainId: 5, contract: '0xc' }));
    assert.equal(json.tokenId, (2n ** 255n).toString());
    assert.equal(json.chainId, 5);
  });

  it('is a mint, a burn or neither, by the zero address', () => {
    const { from: zero, to } = transfer;
    const kindOf = (parties: Pick<NftTransfer, 'from' | 'to'>) =>
      toWireTransfer({ ...transfer, ...parties }, showing).kind;
    assert.equal(kindOf({ from: zero, to }), 'mint');
    assert.equal(kindOf({ from: to, to: zero }), 'burn');
    assert.equal(kindOf({ from: to, to }), 'transfer');
  });

  it('has a name of its own in a batch that moves an id twice', () => {
    assert.notEqual(formatTransferId(transfer), formatTransferId({ ...transfer, position: 3 }));
  });
});
