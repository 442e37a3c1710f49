// What the scripted steps of savings, postings, sources, templates, deliveries and webhooks answer.
import { iso } from '../../../domain/common/instants.ts'
import { isFinal } from '../../../domain/paid-verification/run-states.ts'
import type { DeliveryProgress } from '../../../schemas/deliveries/process.ts'
import type { IngestProgress } from '../../../schemas/ingestion/process.ts'
import type { RecurringProgress } from '../../../schemas/lanes/process.ts'
import type { LockProgress } from '../../../schemas/locked-deposits/process.ts'
import type { VerificationProgress } from '../../../schemas/paid-verification/process.ts'
import type { RunState } from '../../../schemas/paid-verification/record.ts'
import type { VestingProgress } from '../../../schemas/pool/process.ts'
import type { Freeing, PostingProgress } from '../../../schemas/postings/process.ts'
import type { PostingStatus } from '../../../schemas/postings/terms.ts'
import type { WebhookProgress } from '../../../schemas/webhooks/process.ts'
import { type Engine, inTurn } from './engine.ts'

/** A lock whose state ends at an instant (epoch ms). */
export const lockIn = (status: LockProgress['status'], until: number): LockProgress => ({
  status,
  until: new Date(until).toISOString(),
  amount: '5 USDC',
  wallet: '0xsaver',
  tier: 't30',
  releaseReason: status === 'released' ? 'term_completed' : null,
})
export const RELEASED = lockIn('released', Date.parse('2027-02-01T00:00:00.000Z'))

/** Plays one reading of the consent after the other: its end (epoch ms), or null without an active one. The last one stays. */
export const playConsents = ({ service }: Engine, ...ends: (number | null)[]): void => {
  const read = inTurn(...ends)
  service.replay({
    readIdleConsent: async () => {
      const end = await read()
      return end === null ? { expiresAt: null, details: 'Consent: over.' } : { expiresAt: new Date(end).toISOString(), details: 'Consent.' }
    },
  })
}

const PRINCIPAL = '10 USDC'

/** A deposit that vests in full at an instant (epoch ms), or that a loan delays. */
export const vestsAt = (next: number | null): VestingProgress => ({
  kind: 'vesting',
  waiting: 1,
  principal: PRINCIPAL,
  vested: '0 USDC',
  next:
    next === null
      ? null
      : { at: new Date(next).toISOString(), readAt: new Date(next).toISOString(), amount: PRINCIPAL, txHash: `0x${'d'.repeat(64)}` },
})
export const VESTED: VestingProgress = { kind: 'vesting', waiting: 0, principal: PRINCIPAL, vested: PRINCIPAL, next: null }

/** Number of readings that a wallet's workflow began. */
export const readings = ({ service }: Engine): number => service.callsOf('advanceVesting').length

export const ENDPOINT = `wh_${'a'.repeat(32)}`
/** State of a webhook endpoint after a round of deliveries, and when the next one is due (epoch ms). */
export const endpointIn = (state: WebhookProgress['state'], dueAt: number | null = null): WebhookProgress => ({
  state,
  dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
  details: `The endpoint is ${state}.`,
})

/** Where a paid run stands; its payment is looked at again at an instant (epoch ms). */
export const runIn = (state: RunState, nextAt: number | null = null): VerificationProgress => ({
  state,
  nextAt: nextAt === null ? null : iso(nextAt),
  details: `The run is ${state}.`,
  isOver: isFinal(state),
})

/** A delivery in a state that is read again at an instant (epoch ms), or whose state stays. */
export const deliveryIn = (state: DeliveryProgress['state'], nextReadAt: number | null = null): DeliveryProgress => ({
  state,
  nextReadAt: nextReadAt === null ? null : new Date(nextReadAt).toISOString(),
  details: `The delivery is ${state}.`,
  isOver: nextReadAt === null,
})

/** A recurring template in a state that ends at an instant (epoch ms), after so many jobs. */
export const templateIn = (state: RecurringProgress['state'], until: number | null, runs: number): RecurringProgress => ({
  state,
  until: until === null ? null : new Date(until).toISOString(),
  runs,
  details: `The template is ${state}.`,
})

const WATCHED: ReadonlySet<PostingStatus> = new Set(['awaiting_funding', 'live'])

/** A posting in a status, with the instant (epoch ms) until which it waits for its funding. */
export const postingIn = (status: PostingStatus, until: number | null = null, more: Partial<PostingProgress> = {}): PostingProgress => ({
  status,
  until: until === null ? null : new Date(until).toISOString(),
  details: `The posting is ${status}.`,
  unrecordedClaim: null,
  unlistedClaim: null,
  isOver: !WATCHED.has(status),
  ...more,
})

/** An escrow whose rejection is made final at an instant, epoch ms. */
export const freeingAt = (instant: number): Freeing => ({
  next: 'finalize',
  until: new Date(instant).toISOString(),
  lapsesAt: null,
  missingKey: null,
})

export const CLAIM_ON_CHAIN = { wallet: `0x${'9'.repeat(40)}`, txHash: `0x${'8'.repeat(64)}` }

/** How far a run is after so many pages of three candidates each. */
export const pageOf = (pages: number, changes: Partial<IngestProgress> = {}): IngestProgress => ({
  pages,
  candidates: 3 * pages,
  taken: pages,
  requestsUsed: pages,
  isOver: false,
  isBusy: false,
  stopped: null,
  ...changes,
})
