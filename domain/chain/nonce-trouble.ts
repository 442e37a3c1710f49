/** The lowest nonce of a signer that the chain has not counted yet, as journal and chain see it. */
export interface NonceFacts {
  /** Nonces below this one are used, by the newest block. */
  chainLatest: number
  /** The same with what waits in the node's pool. */
  chainPending: number
  /** Nonces below this one were handed out by the journal. */
  nextNonce: number
  /** The journal's row of the nonce `chainLatest`: out since then (epoch ms), or signed since then and taken by nobody. Null: there is none. */
  lowest: { status: 'signed' | 'broadcast' | 'closed'; since: number } | null
}

/**
 * Why the later transactions of a signer are not mined. `stuck`: sent and not mined for too long; `refused`: no write address takes
 * its bytes; `missing`: nobody holds the nonce; `behind`: the journal holds it for mined, the node does not know it.
 */
export interface NonceTrouble {
  kind: 'stuck' | 'refused' | 'missing' | 'behind'
  nonce: number
  /** Whole seconds since it began; null where nobody can know. */
  forSeconds: number | null
}

const KIND = { signed: 'refused', broadcast: 'stuck', closed: 'behind' } as const

/** What is wrong with a signer's lowest open nonce; null while it is well or simply young. */
export const nonceTroubleOf = (facts: NonceFacts, now: number, stuckAfterSeconds: number): NonceTrouble | null => {
  const { chainLatest: nonce, chainPending, nextNonce, lowest } = facts
  if (nonce >= nextNonce) return null
  // A transaction of somebody else that waits in the pool holds the nonce as well as one of ours.
  if (lowest === null) return chainPending > nonce ? null : { kind: 'missing', nonce, forSeconds: null }
  const forSeconds = Math.floor((now - lowest.since) / 1_000)
  return forSeconds >= stuckAfterSeconds ? { kind: KIND[lowest.status], nonce, forSeconds } : null
}

/** What an operator types against it. `signer` is the role that signs, where it is known. */
export const remedyOf = ({ kind, nonce }: NonceTrouble, signer?: string): string => {
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
