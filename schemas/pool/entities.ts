import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** A deposit whose full vesting was announced. Its only use is that it is announced once. */
export const VestedTranche = defineEntity({
  name: 'VestedTranche',
  tableName: 'vested_tranche',
  primaryKeys: ['chainId', 'txHash', 'logIndex'],
  properties: {
    chainId: p.integer().primary(),
    /** Log of the deposit. */
    txHash: p.text().primary(),
    logIndex: p.integer().primary(),
    /** Lower case. */
    wallet: p.text(),
    vestedAt: instant(),
  },
})
