import { defineEntity, p } from '@mikro-orm/core'
import { rawAmount } from '../entities/columns.ts'

/** Payments to a wallet on one day. The database keeps the row: triggers add up the recorded events of the escrow. */
export const PaymentDay = defineEntity({
  name: 'PaymentDay',
  properties: {
    chainId: p.integer().primary(),
    /** Day of the blocks in UTC, `YYYY-MM-DD`. */
    day: p.text().primary(),
    /** Lower case. */
    wallet: p.text().primary(),
    payments: p.integer(),
    /** Paid to the worker, base units. */
    workerRaw: rawAmount(),
    protocolFeeRaw: rawAmount(),
    gasRetentionRaw: rawAmount(),
    /** Bonds that the worker lost, base units. */
    slashedRaw: rawAmount(),
  },
})
