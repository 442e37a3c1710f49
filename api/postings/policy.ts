import { createSaltDerivation } from '../../activities/catalogue/expected-outputs.ts'
import { HANDLER_MODES } from '../../activities/verification/registry.ts'
import { parseUnitsExact } from '../../domain/common/money.ts'
import type { PostingTerms } from '../../domain/postings/draft.ts'
import type { PosterPolicy } from '../../domain/postings/poster.ts'
import { screenListing } from '../../domain/postings/screen.ts'
import type { PostingChain } from '../../domain/postings/views.ts'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import type { ApiDeps } from '../deps.ts'

/** The escrow of new jobs and the asset of their rewards. */
export const postingChain = (chain: ChainFile): PostingChain => {
  const { symbol, decimals, address } = chain.asset
  const live = chain.contracts.escrow.generations.find(({ mode }) => mode === 'live')
  return {
    escrow: liveEscrow(chain).toLowerCase(),
    escrowVersion: live?.version ?? 0,
    asset: { symbol, decimals, address: address.toLowerCase() },
  }
}

/** Who may post, by the settings. Roles on chain are read with the quote. */
export const posterPolicy = ({ settings, reads }: Pick<ApiDeps, 'settings' | 'reads'>): PosterPolicy => ({
  mode: settings.EXTERNAL_POSTING_MODE,
  allowlist: settings.EXTERNAL_POSTING_ALLOWLIST,
  serviceWallets: [
    ...settings.VERIFIER_WALLETS,
    ...settings.ARBITRATOR_WALLETS,
    ...(reads.operator === null ? [] : [reads.operator.toLowerCase()]),
  ],
})

/** What the service takes from a poster (lower case). */
export const postingTerms = ({ settings, chain }: Pick<ApiDeps, 'settings' | 'chain'>, poster: string): PostingTerms => {
  const { symbol, decimals } = chain.asset
  if (settings.ANSWER_SECRET === undefined) throw new Error('no answer secret is configured')
  return {
    poster,
    asset: { symbol, decimals },
    minRewardRaw: parseUnitsExact(String(settings.EXTERNAL_POSTING_MIN_REWARD_USDC), decimals),
    maxRewardRaw: parseUnitsExact(String(settings.EXTERNAL_POSTING_MAX_REWARD_USDC), decimals),
    handlerModes: HANDLER_MODES,
    deniedRepos: settings.MAINTAINER_REPO_DENYLIST,
    deriveSalt: createSaltDerivation(settings.ANSWER_SECRET),
    screen: screenListing,
  }
}
