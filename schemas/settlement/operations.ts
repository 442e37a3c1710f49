import { z } from 'zod'
import { operation, PUBLIC } from '../operations/operation.ts'
import { Address, Bytes32, DigitString, IsoTime, shape } from '../operations/values.ts'
import { WAITING_FOR } from '../sessions/record.ts'

const Seconds = z.int().min(0)

/** Times of the items of a step, in whole seconds: nearest-rank percentiles; null without an item. */
const TimesShape = z
  .object({ count: z.int().min(0), medianSeconds: Seconds.nullable(), p90Seconds: Seconds.nullable(), maxSeconds: Seconds.nullable() })
  .meta({
    id: 'StepTimes',
    description: 'How long a step took, over all work that has done it: nearest-rank percentiles, null without any.',
  })

export const getSettlementClock = operation('getSettlementClock', 'GET /stats/settlement', {
  summary: 'How long work waits for its verdict and its payment, and what waits longest.',
  description:
    'Computed from the events of the escrow: `WorkSubmitted`, the first `Verified` after it, the first `SettlementSplit` after it. The window is that of the newest 1,000 submissions of 30 days. Work of the operator’s own wallets is left out. `npm run -s settlement-clock` in the repository computes the same from the chain alone.',
  tags: ['Platform'],
  auth: PUBLIC,
  responses: {
    200: z.object({
      chainId: z.int().min(1),
      escrows: z.array(Address),
      excludedWallets: z.array(Address).describe('Wallets of the operator, whose work is left out.'),
      window: z
        .object({ fromBlock: DigitString, toBlock: DigitString, submissions: z.int().min(0) })
        .meta({ id: 'SettlementWindow', description: 'Blocks whose submissions count, and their number.' }),
      submittedToVerdict: TimesShape,
      verdictToPaid: TimesShape,
      submittedToPaid: TimesShape,
      unpaid: z
        .object({
          count: z.int().min(0),
          oldest: shape('OldestUnpaid', 'The submission that waits longest, and for whom.', {
            chainJobId: Bytes32,
            submittedAt: IsoTime,
            waitingSeconds: Seconds,
            waitingFor: z.enum(WAITING_FOR),
            reason: z.string().nullable().describe('Reason code of the state of its session; null without one.'),
          })
            .nullable()
            .describe('Null where none waits.'),
        })
        .meta({
          id: 'UnpaidWork',
          description:
            'Submissions without a decision, or approved and not paid: of the window, and of any age for sessions that are not over.',
        }),
    }),
  },
  cache: 'public, max-age=10',
})
