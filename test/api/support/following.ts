import { createScanClient } from '../../../activities/chain/clients.ts'
import { createChainEvents } from '../../../activities/chain/follower/events.ts'
import { createFollower } from '../../../activities/chain/follower/follower.ts'
import { createChainScan } from '../../../activities/chain/follower/scan.ts'
import { dropCheckpoints } from '../../../activities/pool/records.ts'
import { movesProcess } from '../../activities/support/subscribers.ts'
import { NOW, type Stage } from './account-world.ts'

/** Reads the chain with the follower until nothing is left. */
export const createFollowing = ({ chain, database }: Stage) => {
  const scan = createChainScan(chain, createScanClient(chain))
  const { contracts, escrows } = scan
  const followCancellations = async () => undefined
  const events = createChainEvents({
    database,
    chainId: chain.chainId,
    contracts,
    escrows,
    followCancellations,
    dropCheckpoints,
    movesProcess,
    now: () => NOW,
  })
  const follower = createFollower({ chain, database, scan, events, nodeLagToleranceMs: 1_000 })
  return async () => {
    for (let kind = ''; kind !== 'idle' && kind !== 'rechecked'; ) kind = (await follower.advance()).kind
  }
}
