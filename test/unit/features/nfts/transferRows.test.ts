import assert from 'node:assert/strict';
import { type NftTransfer, toChecksumAddress } from '../../../../src/core/index.ts';
import { transferColumnIds } from '../../../../src/features/nfts/protocol.ts';
import {
  formatTransferCell,
  TransferRows,
  toWireTransfer,
  transferToJson,
} from '../../../../src/features/nfts/transferRows.ts';

function transferAt(block: number): NftTransfer {
  return {
    ...{ standard: 'erc721', tokenId: 6n, amount: 1n, position: 0, logIndex: 0, time: undefined },
    ...{ from: `0x${'00'.repeat(20)}`, to: `0x${'11'.repeat(20)}` },
    ...{ blockNumber: BigInt(block), transactionHash: `0x${'22'.repeat(32)}` },
  };
}

describe('rows of transfers', () => {
  const blocks = (transfers: readonly NftTransfer[]) =>
    transfers.map(({ blockNumber }) => Number(blockNumber));

  it('are given out by windows of the order that they have now', () => {
    const rows = new TransferRows();
    const transfers = [transferAt(9), transferAt(5), transferAt(2)];
    rows.follow('a', transfers);
    const { order } = rows;
    rows.follow('a', transfers);
    assert.equal(rows.order, order, 'nothing has come');
    assert.deepEqual(blocks(rows.slice({ resultId: 'a', order, start: 1, count: 100 })), [5, 2]);
    rows.follow('a', [transferAt(11), transferAt(9), transferAt(5), transferAt(2)]);
    assert.notEqual(rows.order, order);
    assert.deepEqual(rows.slice({ resultId: 'a', order, start: 0, count: 100 }), []);
    assert.deepEqual(rows.slice({ resultId: 'b', order: rows.order, start: 0, count: 100 }), []);
  });

  it('are found again by name after others came on top', () => {
    const rows = new TransferRows();
    rows.follow('a', [transferAt(9), transferAt(5)]);
    rows.follow('a', [transferAt(11), transferAt(9), transferAt(5)]);
    const place = { resultId: 'a', transfer: '5-0-0' };
    assert.deepEqual(rows.rowOf(place), { order: rows.order, row: 2 });
    assert.equal(rows.at(place)?.blockNumber, 5n);
    assert.equal(rows.rowOf({ ...place, transfer: '6-0-0' }), undefined);
    for (const name of ['1-0-0', '5-0-1', '12-0-0', '5-0', '-5-0-0', '9'.repeat(300), '']) {
      assert.equal(rows.rowOf({ ...place, transfer: name }), undefined, name);
    }
    assert.equal(rows.at({ ...place, resultId: 'b' }), undefined);
  });

  it('are found among very many without a look at each', () => {
    let looks = 0;
    const transfers = Array.from({ length: 10_000 }, (_, row) => {
      const transfer = transferAt(10_000 - row);
      return Object.defineProperty({ ...transfer }, 'blockNumber', {
        get: () => {
          looks++;
          return transfer.blockNumber;
        },
      });
    });
    const rows = new TransferRows();
    rows.follow('a', transfers);
    for (const row of [0, 1, 777, 9_999]) {
      const found = rows.rowOf({ resultId: 'a', transfer: `${10_000 - row}-0-0` });
      assert.equal(found?.row, row);
    }
    assert.ok(looks < 1000, `${looks} looks`);
  });
});

const transfer: NftTransfer = {
  ...{ standard: 'erc1155', tokenId: 2n ** 255n, amount: 2n ** 128n, position: 2, logIndex: 7 },
  ...{ from: `0x${'00'.repeat(20)}`, to: '0x5fbdb2315678afecb367f032d93f642f64180aa3' },
  ...{ blockNumber: 12n, transactionHash: `0x${'22'.repeat(32)}`, time: Date.UTC(2026, 0, 2, 3, 4, 5) },
};

const showing = {
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
});
