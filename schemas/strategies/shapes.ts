import { z } from 'zod'
import { AssetRefShape } from '../chain/templates.ts'
import { Address, Amount, Bytes32, DigitString, IsoTime, listAnswer, shape } from '../operations/values.ts'
import { STRATEGIES_UNREAD, YIELD_STATES } from './record.ts'

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
