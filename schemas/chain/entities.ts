import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

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
    /** The newest bytes and their hash; those that were mined, once they are. */
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
    /** How often the newest bytes were handed out. */
    broadcasts: p.integer(),
    /** Since when the newest bytes are out; null until a write address took them. */
    broadcastAt: instant().nullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
})

/** Every signature of a transaction that was replaced: the same call and nonce with other fees. Any of them may be mined. */
export const ChainSignature = defineEntity({
  name: 'ChainSignature',
  tableName: 'chain_signature',
  properties: {
    txHash: p.text().primary(),
    intentKey: p.text(),
    /** 0 is the first signature, each replacement counts one more. */
    number: p.integer(),
    rawTransaction: p.text(),
    signedAt: instant(),
  },
})

export const ChainNonce = defineEntity({
  name: 'ChainNonce',
  tableName: 'chain_nonce',
  primaryKeys: ['chainId', 'signer'],
  properties: { chainId: p.integer().primary(), signer: p.text().primary(), nextNonce: p.integer() },
})
