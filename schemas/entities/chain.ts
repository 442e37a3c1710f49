import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'

/** The transaction journal: the row is written, signed with its nonce, before anything is broadcast. */
export const ChainTransaction = defineEntity({
  name: 'ChainTransaction',
  tableName: 'chain_transaction',
  properties: {
    /** Workflow id + run + step: the same intent is sent at most once. */
    intentKey: p.text().primary(),
    chainId: p.integer(),
    signer: p.text(),
    nonce: p.integer(),
    toAddress: p.text(),
    functionName: p.text(),
    data: p.text(),
    gas: p.bigint(),
    rawTransaction: p.text(),
    txHash: p.text(),
    status: p.text(),
    jobId: p.text().nullable(),
    sessionId: p.text().nullable(),
    requestId: p.text().nullable(),
    blockNumber: p.bigint().nullable(),
    blockHash: p.text().nullable(),
    blockTime: instant().nullable(),
    revertReason: p.text().nullable(),
    broadcasts: p.integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
})

export const ChainNonce = defineEntity({
  name: 'ChainNonce',
  tableName: 'chain_nonce',
  primaryKeys: ['chainId', 'signer'],
  properties: { chainId: p.integer().primary(), signer: p.text().primary(), nextNonce: p.integer() },
})
