// What stands against a poster, a funding and a cancellation.
import { expect } from '@jest/globals'
import { encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { localKeys } from '../../../../local/keys.ts'
import type { PostingFunding } from '../../../../schemas/postings/terms.ts'
import { who } from '../../../contracts/support/world.ts'
import type { Reply } from '../../../support/api.ts'
import { freshDefinition, freshPoster } from '../../support/posting-stage.ts'
import { CLAIMANT } from './definitions.ts'
import type { Blocker, Stage } from './row.ts'

const TERMS = 'GET /poster/onboarding'
const OWN_JOBS = 'GET /poster/jobs'
const DRAFT = 'POST /jobs/draft'
const UNKNOWN = `0x${'0'.repeat(64)}`
const HOUR = 3_600
const FUNDING: PostingFunding = {
  ...{ txHash: `0x${'1'.repeat(64)}`, blockHash: `0x${'2'.repeat(64)}`, blockNumber: '1' },
  ...{ fundedAt: '2026-01-02T03:04:05.000Z', totalReservedRaw: '2100000' },
}
const anyId = /^0x[0-9a-f]{64}$/

type Play = Blocker['play']

/** Requests and conditions of a poster on a stage. */
const actsOf = (stage: Stage) => {
  const drafted = async (changes: object = {}, raw?: bigint) => {
    const poster = await stage.posterWith(raw)
    const definition = freshDefinition(changes)
    const { draftId, jobId } = (await stage.post(poster, '/jobs/draft', { definition })).body as { draftId: Hex; jobId: Hex }
    return { poster, definition, draftId, jobId }
  }
  const transactions = (poster: Hex, draftId: string) => stage.post(poster, `/jobs/draft/${draftId}/transactions`)
  const cancel = (poster: Hex, jobId: string) => stage.post(poster, `/poster/jobs/${jobId}/cancel/transactions`)
  const funded = async (changes: object = {}) => {
    const own = await drafted(changes)
    await stage.send((await transactions(own.poster, own.draftId)).body.templates)
    await stage.postings.observe(own)
    return own
  }
  return {
    drafted,
    transactions,
    cancel,
    funded,
    setFee: (bps: number) => stage.world.run(who.owner, 'escrow', 'setFeeSchedule', 50_000n, 2_000, bps, 50_000n),
    /** Answers while the node states another result of one function of the escrow. */
    whileNodeStates: async (signature: string, result: bigint, work: () => Promise<Reply>): Promise<Reply> => {
      const selector = toFunctionSelector(signature)
      const isAsked = (params: unknown[] | undefined): boolean =>
        (params?.[0] as { data?: string } | undefined)?.data?.startsWith(selector) === true
      stage.gate.spoil(({ method, params }) =>
        method === 'eth_call' && isAsked(params) ? { change: () => encodeAbiParameters([{ type: 'uint256' }], [result]) } : 'pass',
      )
      return work().finally(() => stage.gate.spoil())
    },
  }
}

/** Wallets that may not post. */
export const posterBlockers = (stage: Stage): Blocker[] => {
  const { drafted, transactions } = actsOf(stage)
  const refused = (name: string, rule: string, play: Play): Blocker => ({
    ...{ code: 'external_poster_not_allowed', name, status: 403, details: { rule }, next: [TERMS], play },
  })
  const ofRole = (role: 'operator' | 'verifier' | 'arbitrator') =>
    refused(`the ${role} of the service`, 'no_wallet_of_the_service', async () => [
      await stage.draftBy(localKeys()[role].address.toLowerCase() as Hex),
      await stage.draftBy(freshPoster()),
    ])
  const listed = freshPoster()
  return [
    {
      ...{ code: 'external_posting_closed', name: 'a draft while posting is closed', status: 403 },
      ...{ details: { rule: 'mode', limit: 'closed' }, next: ['GET /jobs'] },
      play: async () => {
        const poster = freshPoster()
        const draft = () => stage.draftBy(poster)
        return [await stage.withSettings({ EXTERNAL_POSTING_MODE: 'closed' }, draft), await draft()]
      },
    },
    {
      ...{ code: 'external_posting_closed', name: 'a funding while posting is closed', status: 403 },
      ...{ details: { rule: 'mode', limit: 'closed' }, next: ['GET /jobs'] },
      play: async () => {
        const { poster, draftId } = await drafted()
        const fund = () => transactions(poster, draftId)
        return [await stage.withSettings({ EXTERNAL_POSTING_MODE: 'closed' }, fund), await fund()]
      },
    },
    {
      ...{ code: 'external_open_drafts_cap_reached', name: 'one more open draft than the wallet may have', status: 409 },
      ...{ details: { rule: 'open_drafts_of_a_wallet', limit: 1, open: 1 }, next: ['wait', 'GET /poster/jobs'], retryable: true },
      play: async () => {
        const poster = freshPoster()
        return stage.withSettings({ EXTERNAL_POSTING_OPEN_DRAFTS: 1 }, async () => {
          await stage.draftBy(poster)
          return [await stage.draftBy(poster), await stage.draftBy(freshPoster())]
        })
      },
    },
    {
      ...{ code: 'external_draft_id_taken', name: 'a funding whose id another wallet has used in the escrow', status: 409 },
      ...{ details: { draftId: expect.stringMatching(anyId), jobId: expect.stringMatching(anyId) }, next: [DRAFT, 'GET /jobs/draft/{id}'] },
      play: async () => {
        const [taken, free] = [await drafted(), await drafted()]
        const terms = { rewardRaw: 1_000_000n, opsReserveRaw: 0n, contingencyReserveRaw: 0n, claimTtlSeconds: 3_600 }
        await stage.postings.create({ ...taken, ...terms, poster: await stage.posterWith(), specHash: UNKNOWN as Hex })
        return [await transactions(taken.poster, taken.draftId), await transactions(free.poster, free.draftId)]
      },
    },
    refused('a wallet that is not on the list', 'allowlist', () =>
      stage.withSettings({ EXTERNAL_POSTING_MODE: 'allowlist', EXTERNAL_POSTING_ALLOWLIST: [listed] }, async () => [
        await stage.draftBy(freshPoster()),
        await stage.draftBy(listed),
      ]),
    ),
    ...(['operator', 'verifier', 'arbitrator'] as const).map(ofRole),
    refused('a verifier on chain, until it is none', 'no_wallet_of_the_service', async () => {
      const poster = freshPoster()
      await stage.world.run(who.owner, 'policy', 'setVerifier', poster, true)
      const refusal = await stage.draftBy(poster)
      await stage.world.run(who.owner, 'policy', 'setVerifier', poster, false)
      return [refusal, await stage.draftBy(poster)]
    }),
  ]
}

/** Drafts that are not funded now. */
export const draftBlockers = (stage: Stage): Blocker[] => {
  const { drafted, transactions, funded } = actsOf(stage)
  const ofDraft = (code: string, name: string, status: number, next: string[], play: Play, details: object = {}): Blocker => ({
    ...{ code, name, status, next, play },
    details: { draftId: expect.stringMatching(anyId), ...details },
  })
  const requests = {
    'a read': (wallet: Hex, id: string) => stage.get(wallet, `/jobs/draft/${id}`),
    'a funding': transactions,
  }
  return [
    ...Object.entries(requests).flatMap(([name, request]) => [
      ofDraft('external_draft_not_owned', `${name} by another wallet`, 403, [OWN_JOBS], async () => {
        const { poster, draftId } = await drafted()
        return [await request(freshPoster(), draftId), await request(poster, draftId)]
      }),
      ofDraft('external_draft_not_found', `${name} of an unknown id`, 404, [OWN_JOBS], async () => {
        const { poster, draftId } = await drafted()
        return [await request(poster, UNKNOWN), await request(poster, draftId)]
      }),
    ]),
    ofDraft(
      'external_draft_expired',
      'a funding at the end of its quote, until it is quoted again',
      409,
      [DRAFT],
      async () => {
        const { poster, draftId, definition } = await drafted()
        const { expiresAt } = (await stage.get(poster, `/jobs/draft/${draftId}`)).body
        await stage.pass(72 * HOUR - 60)
        stage.clock.freeze(Date.parse(expiresAt) - 1)
        const inTime = await transactions(poster, draftId)
        stage.clock.freeze(Date.parse(expiresAt))
        const refused = await transactions(poster, draftId)
        stage.clock.run()
        await stage.post(poster, '/jobs/draft', { definition })
        return [refused, inTime.status === 200 ? await transactions(poster, draftId) : inTime]
      },
      { expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ),
    ofDraft(
      'external_draft_already_funded',
      'a second funding before the service has seen the first',
      409,
      ['GET /jobs/draft/{id}', OWN_JOBS],
      async () => {
        const { poster, draftId } = await drafted()
        const first = await transactions(poster, draftId)
        await stage.send(first.body.templates)
        return [await transactions(poster, draftId), first]
      },
      { chainState: 'open' },
    ),
    ofDraft(
      'external_draft_already_funded',
      'a second funding of a live job',
      409,
      ['GET /jobs/draft/{id}', OWN_JOBS],
      async () => {
        const { poster, draftId } = await funded()
        return [await transactions(poster, draftId), await stage.get(poster, `/jobs/draft/${draftId}`)]
      },
      { status: 'live' },
    ),
  ]
}

/** Contracts that take no funding now. */
export const contractBlockers = (stage: Stage): Blocker[] => {
  const { drafted, transactions } = actsOf(stage)
  const refused = (name: string, customError: string, next: string, set: (isRefusing: boolean) => Promise<unknown>): Blocker => ({
    ...{ code: 'invalid_request', name, status: 400, next: [next], details: { step: 'create', customError } },
    play: async () => {
      const { poster, draftId } = await drafted()
      await set(true)
      const refusal = await transactions(poster, draftId).finally(() => set(false))
      return [refusal, await transactions(poster, draftId)]
    },
  })
  return [
    refused('a funding while the contracts are paused', 'ProtocolPaused', 'wait', (isPaused) =>
      stage.world.run(who.owner, 'policy', 'setPaused', isPaused),
    ),
    refused('a funding while the policy refuses the asset', 'UnsupportedAsset', 'GET /jobs/draft/{id}', (isRefused) =>
      stage.world.run(who.owner, 'policy', 'setApprovedAsset', stage.world.at.token, !isRefused),
    ),
  ]
}

/** Agreements beyond those that may be in progress. */
export const agreementBlockers = (stage: Stage): Blocker[] => {
  const { drafted, transactions } = actsOf(stage)
  const named = { designatedClaimants: [CLAIMANT] }
  /** The answers of a request while five agreements are live, and once one of them has ended. */
  const whileFull = async (request: () => Promise<Reply>): Promise<readonly [Reply, Reply]> => {
    const jobs = await Promise.all([1, 2, 3, 4, 5].map(() => stage.postings.draft({ poster: freshPoster(), designated: CLAIMANT })))
    const set = (status: 'live' | 'settled', ids: Hex[]) =>
      stage.rows.updateTable('posting').set({ status, funding: FUNDING }).where('jobId', 'in', ids).execute()
    const ids = jobs.map(({ jobId }) => jobId)
    await set('live', ids)
    const refused = await request()
    await set('settled', ids.slice(0, 1))
    return [refused, await request().finally(() => set('settled', ids))]
  }
  const full = (name: string, play: Play): Blocker => ({
    ...{ code: 'designated_agreement_concurrent_cap_reached', name, status: 409, next: ['wait'], retryable: true, play },
    details: { rule: 'agreements_in_progress', limit: 5, inProgress: 5 },
  })
  return [
    full('a sixth agreement, until one of five has ended', () => whileFull(() => stage.draftBy(freshPoster(), named))),
    full('a funding of a sixth agreement, until one of five has ended', async () => {
      const { poster, draftId } = await drafted(named)
      return whileFull(() => transactions(poster, draftId))
    }),
    {
      ...{ code: 'designated_agreement_cap_unavailable', name: 'an agreement while the others cannot be counted', status: 409 },
      ...{ details: { rule: 'agreements_in_progress', limit: 5 }, next: ['wait'], retryable: true },
      play: async () => {
        const draft = () => stage.draftBy(freshPoster(), named)
        await stage.spoilAgreements(true)
        const refused = await draft().finally(() => stage.spoilAgreements(false))
        return [refused, await draft()]
      },
    },
  ]
}

/** Fees that are not those of the quote. */
export const feeBlockers = (stage: Stage): Blocker[] => {
  const { drafted, transactions, setFee, whileNodeStates } = actsOf(stage)
  const tenUsdc = { rewardAmount: 10 }
  const whileAway = async (work: () => Promise<Reply>): Promise<Reply> => {
    stage.gate.spoil(() => 'cut')
    return work().finally(() => stage.gate.spoil())
  }
  const unread = (name: string, request: () => Promise<() => Promise<Reply>>): Blocker => ({
    ...{ code: 'external_fee_quote_unavailable', name, status: 502, details: {}, next: ['wait'], retryable: true },
    play: async () => {
      const send = await request()
      return [await whileAway(send), await send()]
    },
  })
  const invalid = (name: string, signature: string, above: bigint, details: object): Blocker => ({
    ...{ code: 'external_fee_quote_invalid', name, status: 502, next: ['wait', 'GET /health'], retryable: true },
    details: { rule: 'fee_bounds', limitBps: 1_000, limitFloorRaw: '500000', ...details },
    play: async () => {
      const poster = freshPoster()
      const refused = await whileNodeStates(signature, above, () => stage.draftBy(poster, tenUsdc))
      await stage.world.run(who.owner, 'escrow', 'setFeeSchedule', 50_000n, 2_000, 1_000, 500_000n)
      const atTheBounds = await stage.draftBy(poster, tenUsdc).finally(() => setFee(500))
      return [refused, atTheBounds]
    },
  })
  const mismatch = (name: string, bps: number, observed: string): Blocker => ({
    ...{ code: 'external_fee_quote_mismatch', name, status: 409, next: [DRAFT] },
    details: { rule: 'fee_of_the_quote', expected: '500000', observed },
    play: async () => {
      const { poster, draftId, definition } = await drafted(tenUsdc)
      await setFee(bps)
      try {
        const refused = await transactions(poster, draftId)
        await stage.post(poster, '/jobs/draft', { definition })
        return [refused, await transactions(poster, draftId)]
      } finally {
        await setFee(500)
      }
    },
  })
  return [
    mismatch('a fee that rose after the quote, until it is quoted again', 501, '501000'),
    mismatch('a fee that fell after the quote, until it is quoted again', 499, '499000'),
    {
      ...{ code: 'external_fee_quote_reward_mismatch', name: 'a fee that does not follow from the terms of the escrow', status: 409 },
      ...{ next: ['GET /health'], details: { rule: 'fee_of_the_reward', rewardRaw: '10000000', expected: '500000', observed: '500001' } },
      play: async () => {
        const poster = freshPoster()
        const draft = () => stage.draftBy(poster, tenUsdc)
        return [await whileNodeStates('function previewPosterFee(uint256)', 500_001n, draft), await draft()]
      },
    },
    invalid('a fee above the bound of the escrow', 'function posterFeeBps()', 1_001n, { posterFeeBps: 1_001 }),
    invalid('a smallest fee above the bound of the escrow', 'function posterFeeFloorRaw()', 500_001n, { posterFeeFloorRaw: '500001' }),
    unread('a draft while the chain does not answer', async () => {
      const poster = freshPoster()
      return () => stage.draftBy(poster)
    }),
    unread('a funding while the chain does not answer', async () => {
      const { poster, draftId } = await drafted()
      return () => transactions(poster, draftId)
    }),
  ]
}

/** Cancellations that the escrow would refuse. */
export const cancelBlockers = (stage: Stage): Blocker[] => {
  const { drafted, cancel, funded } = actsOf(stage)
  const open = async () => {
    const own = await funded()
    await stage.pass(HOUR + 1)
    return own
  }
  const unknown = (name: string, wrong: (own: { poster: Hex; jobId: Hex }) => Promise<Reply>): Blocker => ({
    ...{ code: 'external_job_not_found', name, status: 404, details: { jobId: expect.stringMatching(anyId) }, next: [OWN_JOBS] },
    play: async () => {
      const own = await open()
      return [await wrong(own), await cancel(own.poster, own.jobId)]
    },
  })
  const notOpen = (name: string, chainState: string, play: Play): Blocker => ({
    ...{ code: 'external_job_not_open', name, status: 409, details: { chainState }, next: [OWN_JOBS], play },
  })
  return [
    unknown('a cancellation of an unknown id', ({ poster }) => cancel(poster, UNKNOWN)),
    unknown('a cancellation by another wallet', ({ jobId }) => cancel(freshPoster(), jobId)),
    notOpen('a cancellation before the funding', 'none', async () => {
      const { poster, jobId } = await drafted()
      return [await cancel(poster, jobId), null]
    }),
    notOpen('a cancellation of a claimed job', 'claimed', async () => {
      const { poster, jobId } = await open()
      const before = await cancel(poster, jobId)
      const worker = await stage.posterWith()
      await stage.world.run(worker, 'escrow', 'claimJob', jobId)
      return [await cancel(poster, jobId), before]
    }),
    {
      ...{
        code: 'external_cancel_too_early',
        name: 'a cancellation a second before the hour',
        status: 409,
        next: ['wait'],
        retryable: true,
      },
      details: { rule: 'minimum_open_seconds', limit: HOUR, earliestAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      play: async () => {
        const { poster, jobId } = await funded()
        const createdAt = Number(await stage.world.read('escrow', 'createdAt', jobId))
        const cancelAt = async (instant: number) => {
          await stage.world.nextBlockAt(instant)
          await stage.world.rpc('evm_mine')
          return cancel(poster, jobId)
        }
        return [await cancelAt(createdAt + HOUR - 1), await cancelAt(createdAt + HOUR)]
      },
    },
  ]
}
