/** A signer's lowest unmined nonce, by the journal and by the chain. */
export interface NonceFacts {
  /** Nonces below this one are mined. */
  chainLatest: number
  /** Nonces below this one are mined or wait in the node's pool. */
  chainPending: number
  /** Nonces below this one are in use by the journal. */
  nextNonce: number
  /** Journal row of the nonce `chainLatest`, with the time (epoch ms) of its broadcast or signature; null without a row. */
  lowest: { status: 'signed' | 'broadcast' | 'closed'; since: number } | null
}

/**
 * Why the later transactions of a signer are not mined. `stuck`: broadcast and not mined for too long; `refused`: every node refuses it;
 * `missing`: neither journal nor pool has the nonce; `behind`: mined by the journal, unknown to the node.
 */
export interface NonceTrouble {
  kind: 'stuck' | 'refused' | 'missing' | 'behind'
  nonce: number
  /** Age in whole seconds; null when unknown. */
  forSeconds: number | null
}

const KIND = { signed: 'refused', broadcast: 'stuck', closed: 'behind' } as const

/** Trouble of a signer's lowest unmined nonce; null while it is mined in time. `now` in epoch ms. */
export const findNonceTrouble = (facts: NonceFacts, now: number, stuckAfterSeconds: number): NonceTrouble | null => {
  const { chainLatest: nonce, chainPending, nextNonce, lowest } = facts
  if (nonce >= nextNonce) return null
  // A pending transaction that another process sent uses the nonce too.
  if (lowest === null) return chainPending > nonce ? null : { kind: 'missing', nonce, forSeconds: null }
  const forSeconds = Math.floor((now - lowest.since) / 1_000)
  return forSeconds >= stuckAfterSeconds ? { kind: KIND[lowest.status], nonce, forSeconds } : null
}

const REPAIR = { stuck: 'replace', refused: 'replace', missing: 'fill', behind: 'resend' } as const

/** Command with which an operator repairs the nonce. `signer` is the signer's role, where known. */
export const nonceRemedy = ({ kind, nonce }: NonceTrouble, signer?: string): string =>
  `npm run nonce -- ${REPAIR[kind]} ${nonce}${signer === undefined ? '' : ` --signer ${signer}`}`
