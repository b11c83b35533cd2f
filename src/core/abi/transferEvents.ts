/** The events that token contracts emit when tokens move: ERC-20 and ERC-721 share the first, the others are of ERC-1155. */
export const transferEvents = {
  transfer: {
    signature: 'Transfer(address,address,uint256)',
    topic0: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  },
  transferSingle: {
    signature: 'TransferSingle(address,address,address,uint256,uint256)',
    topic0: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  },
  transferBatch: {
    signature: 'TransferBatch(address,address,address,uint256[],uint256[])',
    topic0: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  },
} as const;
