import { createScanClient } from '../../../activities/chain/clients.ts'
import { createChainEvents } from '../../../activities/chain/follower/events.ts'
import { createFollower } from '../../../activities/chain/follower/follower.ts'
import { createChainScan } from '../../../activities/chain/follower/scan.ts'
import { movesProcess, recorders } from '../../activities/support/chain-events.ts'
import { NOW, type Stage } from './account-world.ts'

/** Reads the chain with the follower until nothing is left. */
export const createFollowing = ({ chain, database }: Stage) => {
  const scan = createChainScan(chain, createScanClient(chain))
  const { contracts, escrows } = scan
  const events = createChainEvents({
    database,
    chainId: chain.chainId,
    contracts,
    escrows,
    recorders,
    movesProcess,
    now: () => NOW,
  })
  const follower = createFollower({ chain, database, scan, events, nodeLagToleranceMs: 1_000 })
  return async () => {
    for (let kind = ''; kind !== 'idle' && kind !== 'rechecked'; ) kind = (await follower.advance()).kind
  }
}
