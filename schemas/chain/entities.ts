import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'

/** The transaction journal. A row holds the signed transaction with its nonce before the first broadcast. */
export const ChainTransaction = defineEntity({
  name: 'ChainTransaction',
  properties: {
    /** Workflow id, run and step: the service sends an intent at most once. */
    intentKey: p.text().primary(),
    chainId: p.integer(),
    signer: p.text(),
    nonce: p.integer(),
    toAddress: p.text(),
    functionName: p.text(),
    data: p.text(),
    gas: p.bigint(),
    /** Native coin that the call sends along, base units. */
    value: rawAmount(),
    /** Bytes and hash of the newest signature, or of the mined one once there is one. */
    rawTransaction: p.text(),
    txHash: p.text(),
    status: p.text(),
    jobId: p.text().nullable(),
    sessionId: p.text().nullable(),
    requestId: p.text().nullable(),
    blockNumber: p.bigint().nullable(),
    blockHash: p.text().nullable(),
    blockTime: instant().nullable(),
    /** Logs that the called contract emitted; null until the transaction is mined. */
    logCount: p.integer().nullable(),
    revertReason: p.text().nullable(),
    /** Number of broadcasts of the newest signature. */
    broadcasts: p.integer(),
    /** Time of the first broadcast of the newest signature; null until a node accepts it. */
    broadcastAt: instant().nullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
})

/** Every signature of a replaced transaction: same call and nonce, other fees. Any of them may be mined. */
export const ChainSignature = defineEntity({
  name: 'ChainSignature',
  properties: {
    txHash: p.text().primary(),
    intentKey: p.text(),
    /** 0 for the first signature; each replacement adds one. */
    number: p.integer(),
    rawTransaction: p.text(),
    signedAt: instant(),
    /** What the service added to the price by itself, base units of the native coin, and its limit of a day; null for all others. */
    raisedRaw: rawAmount().nullable(),
    raiseLimitRaw: rawAmount().nullable(),
  },
})

/** Next nonce of each signer, one row per chain and signer. */
export const ChainNonce = defineEntity({
  name: 'ChainNonce',
  properties: { chainId: p.integer().primary(), signer: p.text().primary(), nextNonce: p.integer() },
})

/** Progress of the chain follower: `chain_event` holds every event up to this block. One row per chain. */
export const ChainCursor = defineEntity({
  name: 'ChainCursor',
  properties: {
    chainId: p.integer().primary(),
    blockNumber: p.bigint(),
    blockHash: p.text(),
    /** Newest block that the node reported at the last poll. */
    headNumber: p.bigint(),
    /** Time of the last poll that left no confirmed block unread, by the database clock. */
    caughtUpAt: instant(),
    /** Lowest block whose recorded events are known to be incomplete; null when there is none. */
    gapBlock: p.bigint().nullable(),
    /** Events that a first reading missed and a later one added. */
    missedEvents: p.integer(),
    /** Time of the last such addition or of the last known gap, by the database clock. */
    gapFoundAt: instant().nullable(),
  },
})

/** Last block of each page of events. A fork begins after the newest mark that is still on the chain. */
export const ChainMark = defineEntity({
  name: 'ChainMark',
  properties: { chainId: p.integer().primary(), blockNumber: p.bigint().primary(), blockHash: p.text() },
})

/** One decoded log of a contract in the chain file. A log that a fork removes keeps its row and gets `removedAt`. */
export const ChainEvent = defineEntity({
  name: 'ChainEvent',
  properties: {
    chainId: p.integer().primary(),
    txHash: p.text().primary(),
    logIndex: p.integer().primary(),
    blockNumber: p.bigint(),
    blockHash: p.text(),
    blockTime: instant(),
    /** Address of the contract, lower case. */
    address: p.text(),
    /** escrow, accounts, reputation, policy, registry, token, pool or credit. */
    contract: p.text(),
    /** Name in the contract's interface, or `Unknown`. */
    event: p.text(),
    /** Arguments by name: integers as digit strings, addresses in lower case. Topics and data for an unknown event. */
    args: p.json<Record<string, unknown>>(),
    /** Escrow job of the event: its own argument, or the only job of its transaction. */
    chainJobId: p.text().nullable(),
    /** True when the event changes an escrow job or the vesting of a wallet: the follower notifies the workflows. */
    movesProcess: p.boolean(),
    seenAt: instant(),
    removedAt: instant().nullable(),
    /** 1 for a new row; each removal and each return adds one. */
    revision: p.integer(),
    /** Newest revision that the follower notified workflows of. Unused when `movesProcess` is false. */
    notifiedRevision: p.integer(),
  },
})
