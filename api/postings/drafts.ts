import type { Rows } from '../../activities/database/database.ts'
import type { PostingReads } from '../../activities/postings/chain-reads.ts'
import { createContracts } from '../../activities/postings/contracts.ts'
import {
  assertRoomForAgreement,
  assertRoomForDraft,
  countSkilled,
  getOwnDraft,
  recordDemand,
  storeQuote,
} from '../../activities/postings/drafts.ts'
import type { Hex } from '../../domain/common/hashes.ts'
import { plusSeconds } from '../../domain/common/instants.ts'
import { refusedDemand } from '../../domain/postings/demand.ts'
import { type BuiltPosting, buildPosting } from '../../domain/postings/draft.ts'
import { assertMayPost, roleRefusal } from '../../domain/postings/poster.ts'
import { assertClaimable, quotePosting } from '../../domain/postings/quote.ts'
import { draftView, skillNeeded } from '../../domain/postings/views.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type * as operations from '../../schemas/postings/operations.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { ApiDeps } from '../deps.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { posterPolicy, postingChain, postingTerms } from './policy.ts'

const HOUR_SECONDS = 3_600
/** Longest work on a contract; above the nine minutes that the engine gives a runner. */
const FREEZE_MS = 600_000

/** Reads the chain for a quote. Throws 502 `external_fee_quote_unavailable` where it cannot be read. */
export const readForQuote = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'blockchain_unavailable') throw cause
    throw new ServiceError('external_fee_quote_unavailable', { cause })
  }
}

/** Drafts of the caller. */
export const createDraftHandlers = (
  deps: ApiDeps,
  postingReads: PostingReads,
): Pick<HandlersOf<typeof operations>, 'draftJob' | 'getJobDraft'> => {
  const { database, chain, clock, settings, liveReads, engine } = deps
  const place = postingChain(chain)
  const contracts = createContracts({
    ...{ database, clock, freezeContract: deps.freezeContract },
    waitMs: settings.CHAIN_WAIT_SECONDS * 1_000,
    deadline: () => AbortSignal.timeout(FREEZE_MS),
    onFailure: (error) => deps.logger.error({ err: error }, 'a test contract could not be frozen'),
  })
  const policy = posterPolicy(deps)

  const viewOf = async (rows: Rows, posting: PostingRecord) => {
    // The failed read is logged where it happens.
    const bondPolicy = await liveReads.bondPolicy().catch(() => null)
    const walletsWithSkill = await countSkilled(rows, skillNeeded(posting.definition))
    return draftView(posting, place, { bondPolicy, walletsWithSkill }, clock.now())
  }

  /** What the chain says of a posting, with its quote. Throws for what it refuses. */
  const readQuote = async (poster: Hex, built: BuiltPosting) => {
    const { block, fee, job, hasRole, perWalletCapRaw } = await readForQuote(() => postingReads.draftFacts(poster, built))
    if (hasRole) throw roleRefusal(poster)
    assertClaimable(built.rewardRaw, built.isDesignated, perWalletCapRaw, place.asset)
    return { quote: quotePosting(built, fee), block: block.number, isInEscrow: job.state !== 'none' }
  }

  /** A posting with its contract, if a profile judges it. All other refusals come before a freeze: the runs on the base cost minutes. */
  const buildFrozen = async (definition: unknown, poster: Hex): Promise<BuiltPosting> => {
    const terms = postingTerms(deps, poster)
    const built = buildPosting(definition, terms)
    const { gate } = built
    if (gate === null) return built
    await assertRoomForAgreement(database.rows, built)
    const known = await contracts.find(gate)
    if (known !== null) return buildPosting(definition, { ...terms, contract: known })
    // The id follows from the contract: this one is of no job yet.
    await readQuote(poster, built)
    const place = { poster, jobId: built.jobId, now: clock.now(), openDraftLimit: settings.EXTERNAL_POSTING_OPEN_DRAFTS }
    await database.transaction((rows) => assertRoomForDraft(rows, place))
    return buildPosting(definition, { ...terms, contract: await contracts.freeze(gate, poster) })
  }

  const quote = async (input: Input<typeof operations.draftJob>) => {
    const poster = input.caller.wallet
    assertMayPost(poster, policy)
    const built = await buildFrozen(input.body.definition, poster)
    const { quote: fee, block, isInEscrow } = await readQuote(poster, built)
    const now = clock.now()
    const expiresAt = plusSeconds(now, settings.EXTERNAL_POSTING_DRAFT_TTL_HOURS * HOUR_SECONDS)
    const openDraftLimit = settings.EXTERNAL_POSTING_OPEN_DRAFTS
    const { gate: _gate, ...posting } = built
    const quoted = { ...posting, poster, quote: fee, block, now, expiresAt, openDraftLimit }
    return { quoted, isInEscrow }
  }

  /** Records why a request was refused, for what the market asks for. */
  const recordRefusal = async (error: unknown, poster: string): Promise<void> => {
    const outcome = isServiceError(error) ? refusedDemand(error.code) : null
    if (!isServiceError(error) || outcome === null) return
    await recordDemand(database.rows, { poster, outcome, code: error.code, at: clock.now() })
  }

  return {
    draftJob: async (input) => {
      const { wallet: poster } = input.caller
      try {
        const { quoted, isInEscrow } = await quote(input)
        const answer = await withIdempotentTransaction<Answer<typeof operations.draftJob>>(deps, input, async (rows) => {
          await assertRoomForAgreement(rows, quoted)
          const { posting, isRenewed } = await storeQuote(rows, quoted)
          await recordDemand(rows, { poster, outcome: isRenewed ? 'quoted' : 'already_funded', code: null, at: quoted.now })
          return { status: 201, body: await viewOf(rows, posting) }
        })
        // A wallet can fund a draft by its call data alone, also after the records have lost it.
        if (isInEscrow) await engine.wakePosting(quoted)
        return answer
      } catch (error) {
        await recordRefusal(error, poster)
        throw error
      }
    },

    getJobDraft: async ({ caller, params }) => {
      const posting = await getOwnDraft(database.rows, params.id, caller.wallet)
      return { status: 200, body: await viewOf(database.rows, posting) }
    },
  }
}
