import { z } from 'zod'

/** Whole units of the settlement asset, with at most its decimals. */
const wholeUnits = (fallback: number) => z.coerce.number().positive().max(1_000_000).default(fallback)

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be addresses, separated by commas' })

const POSTING_MODES = ['closed', 'allowlist', 'open'] as const
export type PostingMode = (typeof POSTING_MODES)[number]

export const settings = {
  /** Who may post jobs of their own: no wallet, those of the list, or every one. */
  EXTERNAL_POSTING_MODE: z.enum(POSTING_MODES).default('closed'),
  /** Wallets that may post while the mode is `allowlist`, separated by commas. */
  EXTERNAL_POSTING_ALLOWLIST: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .pipe(z.array(address).transform((wallets) => wallets.map((wallet) => wallet.toLowerCase()))),
  /** Smallest and largest reward of such a job, whole USDC. */
  EXTERNAL_POSTING_MIN_REWARD_USDC: wholeUnits(1),
  EXTERNAL_POSTING_MAX_REWARD_USDC: wholeUnits(10_000),
  /** How long a quote can be funded. */
  EXTERNAL_POSTING_DRAFT_TTL_HOURS: z.coerce.number().int().min(1).max(720).default(72),
  /** Drafts of a wallet that are neither funded nor expired. */
  EXTERNAL_POSTING_OPEN_DRAFTS: z.coerce.number().int().min(1).max(10_000).default(50),
}
