/** Fixed durations, windows and bounds of the rules. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A duration in sentences, such as `48 hours`. */
export const inHours = (seconds: number): string => `${seconds / HOUR} hours`
export const inDays = (seconds: number): string => `${seconds / DAY} days`

/** Time in which a worker or poster may dispute a rejection; escrow `DISPUTE_WINDOW`. */
export const DISPUTE_WINDOW_SECONDS = 7 * DAY
/** Time an arbitrator has for a verdict; escrow `ARBITRATOR_SLA`. Not the dispute window. */
export const ARBITRATOR_SLA_SECONDS = 14 * DAY
/** The service splits this long before an arbitration ends, because any account may call the contract's time-out right after the end. */
export const SPLIT_AHEAD_SECONDS = 15 * MINUTE
/** Default review SLA of a code-host pull request before the session goes to human review. */
export const REVIEW_SLA_SECONDS = 48 * HOUR
/** Longest time without a result of a verification profile; then its escrow is divided. Source: plan of proof-gated escrow. */
export const PROFILE_SLA_SECONDS = 14 * DAY
/** Age at which a listing becomes stale. */
export const LISTING_STALE_SECONDS = 14 * DAY

export const CLAIM_TTL_DEFAULT_SECONDS = HOUR
/** Claim attempts of a job when its definition names none; 0 means unlimited. */
export const RETRY_LIMIT_DEFAULT = 1

/** Claims of a wallet whose bond is waived on waiver-eligible jobs; specification, Limits. */
export const WAIVER_CLAIMS_PER_WALLET = 3
/** Longest head start of qualifying wallets; larger settings are clamped to it. */
export const PRIORITY_WINDOW_MAX_SECONDS = 30 * MINUTE
/** Length of the rolling exposure and catalogue budgets, measured from claim time. */
export const ROLLING_BUDGET_SECONDS = DAY
/** Interval between two checks of what verdicts need. */
export const VERDICT_NEED_PERIOD_SECONDS = 10
/** Age at which such a check proves nothing any more: some intervals, and less than the minute in which an outage must show. */
export const VERDICT_NEED_MAX_AGE_SECONDS = 45
/** Age at which stored content becomes public. */
export const CONTENT_PUBLIC_AFTER_SECONDS = 180 * DAY

/** Time over which a deposit in the pool vests; specification, Limits. */
export const DEPOSIT_VESTING_SECONDS = 48 * HOUR
/** Time for which an attestation of vested principal can originate a loan. */
export const VESTING_ATTESTATION_SECONDS = 5 * MINUTE

/** Gas grant of a wallet's first withdrawal, in base units of the native asset; specification, Limits. */
export const GAS_GRANT_RAW = 30_000_000_000_000_000n
/** Liquid balance that a wallet needs for the gas grant; specification, Limits. */
export const GAS_GRANT_MINIMUM_LIQUID_RAW = 250_000n

/** External reward ceiling of a wallet without vested deposit, and its raise per vested base unit in thousandths. */
export const EXTERNAL_REWARD_CEILING_BASE_RAW = 1_000_000n
export const EXTERNAL_CEILING_PER_VESTED_MILLI = 1000n

/** Largest reward of a posted job that names its claimant, base units. */
export const DESIGNATED_REWARD_CAP_RAW = 25_000_000n

/** Time that a job is open before its poster may cancel it; escrow `MIN_OPEN_FOR_CANCEL`. */
export const CANCEL_FLOOR_SECONDS = HOUR

/** Bounds of the escrow contract on the poster fee. */
export const MAX_POSTER_FEE_BPS = 1000
export const MAX_POSTER_FEE_FLOOR_RAW = 500_000n

/** Bounds of the escrow contract on the gas retention schedule. */
export const MAX_RETENTION_FLAT_RAW = 500_000n
export const MAX_RETENTION_CAP_BPS = 2500

/** Two blocks of a slow chain: a submission accepted so shortly before its claim ends can lapse before it is mined. */
export const LAST_MOMENTS_SECONDS = 12

/** Time in which a claim that the service asked a worker to send is admitted, whatever changes meanwhile. */
export const CLAIM_OFFER_SECONDS = HOUR
/** What the clocks of service and chain may differ by when the two times of such a claim are compared. */
export const OFFER_CLOCK_SECONDS = MINUTE

/** Most gas that the escrow's call to open a dispute uses; a test measures it. */
export const OPEN_DISPUTE_GAS = 250_000n
