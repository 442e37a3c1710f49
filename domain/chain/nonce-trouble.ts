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

/** Command with which an operator repairs the nonce. `signer` is the signer's role, where known. */
export const nonceRemedy = ({ kind, nonce }: NonceTrouble, signer?: string): string => {
  const option = signer === undefined ? '' : ` --signer ${signer}`
  switch (kind) {
    case 'stuck':
    case 'refused':
      return `npm run nonce -- replace ${nonce}${option}`
    case 'missing':
      return `npm run nonce -- fill ${nonce}${option}`
    case 'behind':
      return `npm run nonce -- resend ${nonce}${option}`
  }
}
