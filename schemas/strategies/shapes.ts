import { z } from 'zod'
import { AssetRefShape } from '../chain/templates.ts'
import { Address, Amount, Bytes32, DigitString, IsoTime, listAnswer } from '../operations/values.ts'

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
  reason: z.string().optional(),
  strategies: z.array(
    z
      .object({
        ...strategy,
        async: z.boolean(),
        totalAssets: Amount,
        totalShares: Amount,
        asOf: z.object({ block: DigitString, at: IsoTime }),
      })
      .meta({ id: 'Strategy', description: 'Registered adapter of a yield source.' }),
  ),
})

/** Answer of `GET /account/strategies`. Source: http, "GET /account/strategies". */
export const AccountStrategiesShape = z.object({
  wallet: Address,
  available: z.boolean(),
  reason: z.string().optional(),
  positions: z.array(
    z
      .object({
        ...strategy,
        shares: Amount,
        assets: Amount,
        pendingDeposit: Amount,
        pendingWithdraw: Amount,
        yieldPosture: z.object({ status: z.enum(['not_yet_earning', 'earning', 'unknown']), source: z.string(), asOf: IsoTime }),
      })
      .meta({ id: 'StrategyPosition', description: 'Position of a wallet in a strategy.' }),
  ),
  ...listAnswer,
})
