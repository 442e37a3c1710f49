import { ServiceError } from '../../schemas/errors.ts'
import type { PostingMode } from '../../schemas/postings/settings.ts'

/** Who may post. Addresses in lower case. */
export interface PosterPolicy {
  mode: PostingMode
  allowlist: readonly string[]
  /** Wallets that judge, arbitrate or pay for the service, which may have no interest in a job. */
  serviceWallets: readonly string[]
}

/** Refusal of a wallet that judges, arbitrates or pays for the service. */
export const roleRefusal = (wallet: string): ServiceError =>
  new ServiceError('external_poster_not_allowed', {
    reason: 'wallet_of_the_service',
    detail: 'A wallet that judges, arbitrates or pays for the service posts no jobs.',
    details: { rule: 'no_wallet_of_the_service', wallet },
  })

/** Throws 403 for a wallet that may not post. `wallet` in lower case. Source: money, "External posting". */
export function assertMayPost(wallet: string, { mode, allowlist, serviceWallets }: PosterPolicy): void {
  if (mode === 'closed') throw new ServiceError('external_posting_closed', { details: { rule: 'mode', limit: mode } })
  if (serviceWallets.includes(wallet)) throw roleRefusal(wallet)
  if (mode === 'allowlist' && !allowlist.includes(wallet))
    throw new ServiceError('external_poster_not_allowed', {
      reason: 'not_on_the_list',
      detail: 'Only the wallets of the operator’s list may post now.',
      details: { rule: 'allowlist', wallet },
    })
}
