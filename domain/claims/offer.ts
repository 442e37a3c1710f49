import { CLAIM_OFFER_SECONDS, OFFER_CLOCK_SECONDS } from '../common/constants.ts'
import { isPast, plusSeconds } from '../common/instants.ts'

/**
 * Whether a claim that was mined at `claimedAt` follows an offer made at `offeredAt`, both epoch ms. The clock of the chain may be behind that of
 * the service.
 */
export const isOfferOf = (offeredAt: number, claimedAt: number): boolean =>
  !isPast(plusSeconds(claimedAt, OFFER_CLOCK_SECONDS), offeredAt) && !isPast(plusSeconds(offeredAt, CLAIM_OFFER_SECONDS), claimedAt)
