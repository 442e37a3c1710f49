import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { GasGrantStatus } from './record.ts'

/** The gas grant of a wallet, one row for its lifetime. It is written before the transfer is signed and rules out another grant. */
export const GasGrant = defineEntity({
  name: 'GasGrant',
  properties: {
    /** Lower case. */
    wallet: p.text().primary(),
    /** UTC day whose cap it counts to, `YYYY-MM-DD`. */
    day: p.text(),
    /** Grants of a day that the settings allowed at the reservation. */
    dailyCap: p.integer(),
    status: p.text().$type<GasGrantStatus>(),
    /** Hash of the withdrawal that it belongs to. */
    intentHash: p.text(),
    /** Native coin of the transfer, base units. */
    amountRaw: rawAmount(),
    /** Liquid balance of the account at the reservation, base units of the settlement asset. */
    liquidRaw: rawAmount(),
    /** Native balance of the wallet at the reservation, base units. */
    balanceBeforeRaw: rawAmount(),
    /** Native balance of the wallet after the block of the transfer; null until it is mined, and where the node does not tell. */
    balanceAfterRaw: rawAmount().nullable(),
    /** Null until the transfer is mined, reverted or not. */
    txHash: p.text().nullable(),
    requestId: p.text(),
    reservedAt: instant(),
    /** Time of the block of a transfer that paid the wallet. */
    grantedAt: instant().nullable(),
    /** Time of the block in which the wallet refused the transfer. */
    failedAt: instant().nullable(),
  },
})
