// What the scripted steps of a posting answer.
import type { PostingProgress } from '../../../schemas/postings/process.ts'
import type { PostingStatus } from '../../../schemas/postings/terms.ts'

const WATCHED: ReadonlySet<PostingStatus> = new Set(['awaiting_funding', 'live'])

/** A posting in a status, with the instant (epoch ms) until which it waits for its funding. */
export const postingIn = (status: PostingStatus, until: number | null = null, more: Partial<PostingProgress> = {}): PostingProgress => ({
  status,
  until: until === null ? null : new Date(until).toISOString(),
  details: `The posting is ${status}.`,
  unrecordedClaim: null,
  isOver: !WATCHED.has(status),
  ...more,
})

export const CLAIM_ON_CHAIN = { wallet: `0x${'9'.repeat(40)}`, txHash: `0x${'8'.repeat(64)}` }
