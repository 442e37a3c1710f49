import { recordedBlock } from '../../activities/chain/follower/cursor.ts'
import { readUnpaid, readWaiting, readWindow } from '../../activities/settlement/clock.ts'
import { iso } from '../../domain/common/instants.ts'
import { settlementTimes } from '../../domain/settlement/clock.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as settlementOperations from '../../schemas/settlement/operations.ts'
import type { ApiDeps } from '../deps.ts'
import { memoizeFor } from '../http/cache.ts'

/** Time for which a process keeps its answer. */
const CLOCK_MS = 5_000

/** How long work waits for its payment. */
export const createSettlementHandlers = ({ settings, chain, database, clock }: ApiDeps): HandlersOf<typeof settlementOperations> => {
  const { rows } = database
  const { chainId, contracts } = chain
  const excludedWallets = Object.keys(settings.OPERATOR_IDENTITIES).toSorted()
  const escrows = contracts.escrow.generations.map(({ address }) => address.toLowerCase())

  const read = async () => {
    const now = clock.now()
    const head = { chainId, toBlock: (await recordedBlock(rows, chainId)).toString() }
    const { fromBlock, submissions } = await readWindow(rows, head, excludedWallets, now)
    const unpaid = await readUnpaid(rows, head, excludedWallets, submissions)
    const [oldest] = unpaid
    return {
      chainId,
      escrows,
      excludedWallets,
      window: { fromBlock, toBlock: head.toBlock, submissions: submissions.length },
      ...settlementTimes(submissions),
      unpaid: {
        count: unpaid.length,
        oldest:
          oldest === undefined
            ? null
            : {
                chainJobId: oldest.chainJobId,
                submittedAt: iso(oldest.submittedAt * 1000),
                waitingSeconds: Math.max(Math.floor(now / 1000) - oldest.submittedAt, 0),
                ...(await readWaiting(rows, oldest, now)),
              },
      },
    }
  }
  const kept = memoizeFor(CLOCK_MS, read)

  return { getSettlementClock: async () => ({ status: 200, body: await kept.get() }) }
}
