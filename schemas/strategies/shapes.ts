import { z } from 'zod'
import { AssetRefShape, BlockShape, templateMembers } from '../chain/templates.ts'
import {
  Address,
  Amount,
  Bytes32,
  ChainIdValue,
  DigitString,
  IsoTime,
  listAnswer,
  NextActionShape,
  part,
  RequestAmount,
  shape,
} from '../operations/values.ts'
import { PLACES, STRATEGIES_UNREAD, YIELD_STATES } from './record.ts'

const readState = {
  available: z.boolean().describe('False where the strategies could not be read; the list is then empty.'),
  reason: z.enum(STRATEGIES_UNREAD).optional(),
}
const asOf = z.object({ block: DigitString, at: IsoTime })

const strategy = {
  strategyId: Bytes32.describe('Id in the registry; it never moves to another adapter.'),
  label: z.string().describe('Text that the id carries; the id itself where it carries none.'),
  adapter: Address.describe('Contract that runs the strategy.'),
  asset: AssetRefShape,
  riskLabel: z.string(),
  active: z.boolean().describe('Whether the registry and the policy allow new balances in it.'),
}

/** Answer of `GET /strategies`; without a readable chain an empty list with the reason. Source: http, "GET /strategies". */
export const StrategiesShape = z.object({
  ...readState,
  strategies: z.array(
    shape('Strategy', 'Registered adapter of a yield source.', {
      ...strategy,
      async: z.boolean().describe('Whether deposits and withdrawals settle later.'),
      totalAssets: Amount.describe('What all shares are worth together.'),
      totalShares: Amount,
      asOf,
    }),
  ),
})

/** Answer of `GET /account/strategies`. Source: http, "GET /account/strategies". */
export const AccountStrategiesShape = z.object({
  wallet: Address,
  ...readState,
  positions: z.array(
    shape('StrategyPosition', 'Position of a wallet in a strategy.', {
      ...strategy,
      shares: Amount,
      assets: Amount.describe('Value of these shares now.'),
      pendingDeposit: Amount.nullable().describe(
        'Assets on their way into the strategy; null where the contracts do not tell them from those of another strategy.',
      ),
      pendingWithdraw: Amount.describe('Part of the shares that is on its way out of the strategy.'),
      yieldPosture: z
        .object({ status: z.enum(YIELD_STATES), source: z.string(), asOf: IsoTime })
        .describe('Whether the shares are worth more than when they changed last; unknown while the strategy is not active.'),
    }),
  ),
  ...listAnswer,
})

/** A part of a wallet's money, and the way home. */
export const PlaceShape = shape('Place', 'Money of the wallet at one place, and what brings it home.', {
  place: z.enum(PLACES),
  id: z.string().nullable().describe('Id of the strategy; null where the place has one name only.'),
  amount: Amount.describe('Shares at their value now.'),
  nextActions: z
    .array(NextActionShape)
    .describe('What brings it to `available`, and from there to the wallet. Empty for the wallet itself.'),
})

/** Body of `POST /account/recall/transactions`. */
export const RecallTransactionsBody = z.strictObject({
  amount: RequestAmount.optional().describe('What comes back, in base units; everything by default.'),
  strategyId: Bytes32.optional().describe('Strategy that pays; by default the only one in which the wallet has something.'),
})

/** Answer of `POST /account/recall/transactions`. */
export const RecallTransactionsShape = z.object({
  schemaVersion: z.literal(1),
  available: z.literal(true),
  wallet: Address,
  chainId: ChainIdValue,
  block: BlockShape,
  asset: AssetRefShape,
  recall: part('What comes back from which strategy.', {
    strategyId: Bytes32,
    label: z.string().describe('Text that the id carries; the id itself where it carries none.'),
    amount: Amount.describe('What the account gets as liquid balance.'),
    allocatedBefore: Amount.describe('Value of the shares of the wallet before the recall.'),
    allocatedAfter: Amount,
  }),
  ...templateMembers,
})
