import { z } from 'zod'
import { AssetRefShape } from '../chain/templates.ts'
import { Address, Amount, Bytes32, DigitString, IsoTime, listAnswer } from '../operations/values.ts'
import { STRATEGIES_UNREAD, YIELD_STATES } from './record.ts'

const reason = z.enum(STRATEGIES_UNREAD).optional()
const asOf = z.object({ block: DigitString, at: IsoTime })

const strategy = {
  strategyId: Bytes32,
  label: z.string(),
  adapter: Address,
  asset: AssetRefShape,
  riskLabel: z.string(),
  active: z.boolean(),
}

/** Answer of `GET /strategies`; without a readable chain an empty list with the reason. Source: http, "GET /strategies". */
export const StrategiesShape = z.object({
  available: z.boolean(),
  reason,
  strategies: z.array(
    z
      .object({
        ...strategy,
        async: z.boolean(),
        totalAssets: Amount,
        totalShares: Amount,
        asOf,
      })
      .meta({ id: 'Strategy', description: 'Registered adapter of a yield source.' }),
  ),
})

/** Answer of `GET /account/strategies`. Source: http, "GET /account/strategies". */
export const AccountStrategiesShape = z.object({
  wallet: Address,
  available: z.boolean(),
  reason,
  positions: z.array(
    z
      .object({
        ...strategy,
        shares: Amount,
        assets: Amount,
        pendingDeposit: Amount.nullable(),
        pendingWithdraw: Amount,
        yieldPosture: z.object({ status: z.enum(YIELD_STATES), source: z.string(), asOf: IsoTime }),
      })
      .meta({ id: 'StrategyPosition', description: 'Position of a wallet in a strategy.' }),
  ),
  ...listAnswer,
})
