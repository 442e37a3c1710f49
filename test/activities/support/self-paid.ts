// Claims and submissions that workers of posted jobs send themselves, and what the steps of their process make of them.
import type { Hex } from 'viem'
import { startAdoptedClaim } from '../../../activities/claims/self-paid/adopt.ts'
import { storeClaimOffer, storeSubmissionOffer } from '../../../activities/claims/self-paid/offers.ts'
import { createSubmissionBringer } from '../../../activities/claims/self-paid/submission.ts'
import type { RunningClaim } from '../../../activities/claims/start.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { checkPinnedSubmission } from '../../../domain/claims/pinned-submission.ts'
import type { AdmittedClaim, NewClaim } from '../../../schemas/claims/process.ts'
import { aSession } from '../../domain/builders/session.ts'
import type { FollowerWorld } from './follower-world.ts'
import { type Drafted, type DraftTerms, openPostings } from './postings.ts'
import { walletAt } from './service.ts'

/** A reward that a wallet without a deposit may earn with one posted job. */
const SMALL = 1_000_000n

export const openSelfPaid = (world: () => FollowerWorld) => {
  const postings = openPostings(world)
  let count = 0

  /** A wallet with money for its bonds. */
  const worker = async (): Promise<Hex> => {
    count += 1
    const wallet = walletAt(3_000 + count)
    await postings.endow(wallet)
    return wallet.toLowerCase() as Hex
  }

  /** A posted job that is funded and listed. */
  const posted = async (terms: Partial<DraftTerms> = {}): Promise<Drafted> => {
    const poster = terms.poster ?? (await worker())
    const drafted = await postings.draft({ rewardRaw: SMALL, ...terms, poster })
    await postings.create(drafted)
    const { status } = await postings.observe(drafted)
    if (status !== 'live') throw new Error(`the posting is ${status}`)
    return drafted
  }

  const claimOnChain = (wallet: Hex, jobId: Hex) => world().world.run(wallet, 'escrow', 'claimJob', jobId)
  const submitOnChain = (wallet: Hex, jobId: Hex, evidenceHash: string) =>
    world().world.run(wallet, 'escrow', 'submitWork', jobId, evidenceHash)

  /** The claim with which the follower would start the process; null where it starts none. */
  const startOf = async (
    jobId: Hex,
    wallet: Hex,
    running: RunningClaim | null = null,
  ): Promise<{ answer: boolean; claim: NewClaim | null }> => {
    await world().follow()
    const claims = (await world().eventsOf(jobId)).filter(({ event, removedAt }) => event === 'JobClaimed' && removedAt === null)
    const txHash = claims.at(-1)?.txHash ?? `0x${'0'.repeat(64)}`
    let claim: NewClaim | null = null
    const startClaim = async (started: NewClaim) => {
      if (running === null) claim = started
      return running
    }
    const answer = await startAdoptedClaim({ ...world(), startClaim }, { jobId, wallet, wasAdmitted: false, txHash })
    return { answer, claim }
  }

  /** The parts of a claim as far as the bond. */
  const lock = async (claim: NewClaim) => {
    count += 1
    const { title: _title, chainJobId: _id, verifierMode: _mode, ...input } = claim
    const full = { v: 1 as const, ...input, runId: `self-paid-${count}` }
    const admitted = await world().admission.admitClaim(full)
    const bond = await world().steps.lockBond({ ...admitted, requestId: claim.requestId, block: claim.block })
    return { claim: full, admitted, bond }
  }

  /** The session of a claim that is on chain. */
  const adopt = async (jobId: Hex, wallet: Hex): Promise<AdmittedClaim> => {
    const { claim } = await startOf(jobId, wallet)
    if (claim === null) throw new Error('no claim was started')
    const parts = await lock(claim)
    await world().claims.recordClaim(parts)
    return parts.admitted
  }

  return {
    ...postings,
    worker,
    posted,
    claimOnChain,
    submitOnChain,
    startOf,
    lock,
    adopt,

    claimed: async (terms: Partial<DraftTerms> = {}, wallet?: Hex) => {
      const owner = wallet ?? (await worker())
      const drafted = await posted(terms)
      await claimOnChain(owner, drafted.jobId)
      return { ...(await adopt(drafted.jobId, owner)), ...drafted, wallet: owner }
    },

    /** As a request for the claim does, that long before now. */
    offerClaim: (jobId: Hex, wallet: Hex, secondsAgo = 0) =>
      storeClaimOffer(world().rows, {
        jobId,
        wallet,
        grantId: null,
        requestId: 'request-offer',
        protocol: 'mcp',
        admission: aSession().admission,
        createdAt: world().clock.now() - secondsAgo * 1_000,
      }),

    /** As a request for the submission does; returns the hash to send. */
    offerWork: async (sessionId: string, submission: unknown): Promise<string> => {
      const { evidenceHash } = checkPinnedSubmission(await getSession(world().rows, sessionId), submission)
      const offer = { sessionId, evidenceHash, work: { submission }, protocol: 'http', createdAt: world().clock.now() } as const
      await storeSubmissionOffer(world().rows, offer)
      return evidenceHash
    },

    bringHome: async ({ sessionId }: Pick<AdmittedClaim, 'sessionId'>, isOver = false) => {
      await world().follow()
      return createSubmissionBringer(world()).bringSubmissionHome({ sessionId, isOver })
    },

    sessionOf: ({ sessionId }: Pick<AdmittedClaim, 'sessionId'>) => getSession(world().rows, sessionId),
  }
}
