import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import { builtInNetworks } from '../../../../../src/core/index.ts';
import {
  type FollowedHead,
  watchRestarts,
} from '../../../../../src/features/addresses/balances/visibleRows.ts';

const [network = assert.fail()] = builtInNetworks;

describe('a restart of the node', () => {
  const changed = new EventEmitter<void>();
  const switched = new EventEmitter<void>();
  let state: FollowedHead['state'];
  let restarts: number;

  function watch(rpcUrl: string) {
    state = {};
    restarts = 0;
    const head = {
      onDidChange: changed.event,
      get state() {
        return state;
      },
    };
    const session = { network: { ...network, rpcUrl }, onDidChange: switched.event };
    return watchRestarts({ head, session }, () => restarts++);
  }
  /** @returns how many restarts the heads looked like; undefined stands for a failure. */
  function see(...blocks: readonly (bigint | undefined)[]): number {
    for (const block of blocks) {
      state = block === undefined ? { ...state, error: new Error('gone') } : { head: { block } };
      changed.fire();
    }
    return restarts;
  }

  it('is where a node of this machine goes back, or answers again', () => {
    const watching = watch('http://127.0.0.1:8545');
    assert.equal(see(5n, 5n, 6n, 20n), 0);
    assert.equal(see(3n), 1);
    assert.equal(see(undefined, undefined), 1);
    assert.equal(see(40n, 41n), 2);
    switched.fire();
    assert.equal(see(1n), 2);
    watching.dispose();
    assert.equal(see(0n), 2);
  });

  it('is never seen of another machine, where replicas lag', () => {
    const watching = watch('https://rpc.example');
    assert.equal(see(5n, 4n, undefined, 5n), 0);
    watching.dispose();
  });
});
