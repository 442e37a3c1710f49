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

/** How far the chain follower has read: everything up to this block is in `chain_event`. One row per chain. */
export const ChainCursor = defineEntity({
  name: 'ChainCursor',
  tableName: 'chain_cursor',
  properties: {
    chainId: p.integer().primary(),
    blockNumber: p.bigint(),
    blockHash: p.text(),
    /** Newest block the node named at the last look. */
    headNumber: p.bigint(),
    /** Last look that got an answer, by the clock of the database. */
    lookedAt: instant(),
    /** Last look at which nothing confirmed was left to read, by the same clock. */
    caughtUpAt: instant(),
  },
})

/** Last blocks of pages that were read: the newest one that the chain still has is where a fork began. */
export const ChainMark = defineEntity({
  name: 'ChainMark',
  tableName: 'chain_mark',
  primaryKeys: ['chainId', 'blockNumber'],
  properties: { chainId: p.integer().primary(), blockNumber: p.bigint().primary(), blockHash: p.text() },
})

/** One log of a contract of the chain file, decoded. A log that a fork took away stays, marked as removed. */
export const ChainEvent = defineEntity({
  name: 'ChainEvent',
  tableName: 'chain_event',
  primaryKeys: ['chainId', 'txHash', 'logIndex'],
  properties: {
    chainId: p.integer().primary(),
    txHash: p.text().primary(),
    logIndex: p.integer().primary(),
    blockNumber: p.bigint(),
    blockHash: p.text(),
    blockTime: instant(),
    /** Lower case. */
    address: p.text(),
    /** escrow, accounts, reputation, policy, registry or token. */
    contract: p.text(),
    /** Name in the contract's interface, or Unknown. */
    event: p.text(),
    /** Arguments by name: integers as digit strings, addresses in lower case. Of an unknown event its topics and data. */
    args: p.json<Record<string, unknown>>(),
    /** Escrow job the event is about: its own argument, or the only job of its transaction. */
    chainJobId: p.text().nullable(),
    /** True when the event moves an escrow job, so that the job's processes are told of it. */
    movesJob: p.boolean(),
    seenAt: instant(),
    removedAt: instant().nullable(),
    /** 1 at first; each removal and each return counts one more. */
    revision: p.integer(),
    /** Newest revision that the processes concerned were told of; means nothing where no job is moved. */
    toldRevision: p.integer(),
  },
})
