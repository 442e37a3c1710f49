import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'

/** Workflow id of the idle-balance allocation of a wallet (lower case). */
export const idleAllocationWorkflowId = (wallet: string): string => `idle-allocation/${wallet}`

/** Start arguments of the idle-balance allocation of a wallet. */
export interface IdleAllocationInput {
  v: 1
  /** Lower case. */
  wallet: string
}

/** A signed consent. */
export interface IdleConsentInput {
  termsHash: string
  signature: string
  requestId: string
}

/** Where the consent of a wallet stands by the records. */
export interface IdleConsentProgress {
  /** Null without an active consent. */
  expiresAt: string | null
  details: string
}

export interface IdleRecordActivities {
  /** Records a consent to a stored quote, and revokes the one before it. A repeat changes nothing. */
  recordIdleConsent(input: { wallet: string } & IdleConsentInput): Promise<void>
  /** Revokes the active consent; without one nothing happens. */
  revokeIdleConsent(input: { wallet: string }): Promise<void>
  /** Records the expiry of the consent, once, and answers where it stands. */
  readIdleConsent(input: { wallet: string }): Promise<IdleConsentProgress>
}

export interface IdleChainActivities {
  /**
   * Allocates what is idle, or recalls what the wallet lacks to keep its working capital, by one transaction under the active consent. Answers
   * when more may be moved (ISO 8601); null when the balance has to move first.
   */
  moveIdleBalance(input: { wallet: string }): Promise<{ againAt: string | null }>
}

/** Resolves when the consent is recorded; fails with the code of the refusal. */
export const idleConsentUpdate = defineUpdate<void, [IdleConsentInput]>('consent')

/** Resolves when the consent is revoked. */
export const idleRevokeUpdate = defineUpdate<void, [{ requestId: string }]>('revoke')

/** The chain follower sends it after an event that changes the wallet's balance in the account contract. */
export const idleBalanceMoved = defineSignal('idleBalanceMoved')

/** Where the consent stands; null before the first reading. */
export const idleProgress = defineQuery<IdleConsentProgress | null>('idleProgress')
