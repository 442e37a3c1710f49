import { describe, expect, test } from '@jest/globals'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { useStarted } from '../../support/started.ts'
import { posting, startPostingStage } from '../support/posting-stage.ts'

const stage = useStarted(startPostingStage, ({ stop }) => stop())

const onboarding = async (changes: Partial<ApiDeps> = {}) =>
  (await stage.ask(posting.getPosterOnboarding, stage.handlersWith(changes).getPosterOnboarding, {})).body

describe('the onboarding of posters', () => {
  test('states the live terms of the escrow, each step, each verifier and how the money comes back', async () => {
    const body = await onboarding()
    expect(body).toMatchObject({ version: 'poster-onboarding-v1', mode: 'open', chainId: stage.chain.chainId })
    expect(body).not.toHaveProperty('allowlistEnrollment')
    expect(body.economics).toMatchObject({
      ...{ protocolFeeBps: 500, posterFeeBps: 500, posterFeeFloorRaw: '50000', minRewardUsdc: '1', maxRewardUsdc: '10000' },
      ...{ feeRecipient: expect.stringMatching(/^0x[0-9a-f]{40}$/), draftTtlHours: 72, availability: {} },
    })
    expect(body.flow.map(({ id }) => id)).toEqual(['siwe', 'draft', 'fund', 'watch', 'delist', 'schema-discovery'])
    expect(body.verification.modes.map(({ mode }) => mode)).toEqual([
      'benchmark',
      'deterministic',
      'human_fallback',
      'codehost_pr',
      'verification_profile',
    ])
    expect(body.failureModes.map(({ error, selector }) => [error, selector])).toEqual([
      ['InsufficientLiquidity()', '0xbb55fd27'],
      ['InvalidState()', '0xbaf3f0f7'],
    ])
    expect(body.workerFacts.claimBond).toMatchObject({ available: true, stakeBps: 1000, feeBps: 200, minFeeRaw: '50000' })
    expect(body.workerFacts.gasPolicy).toMatchObject({ operatorBrokeredGas: false, workerPays: ['claimJob', 'submitWork'] })
    expect(body.workerFacts.disputeWindow).toMatchObject({ available: true, seconds: 604_800 })
    expect(body.cancellation).toMatchObject({ method: 'cancelOpenJob', minimumOpenSeconds: 3600 })
    const { asOf: _at, ...reads } = body.liveReads
    for (const read of Object.values(reads)) expect(read).toEqual({ available: true })
  })

  test('leaves out each value that cannot be read, and says why', async () => {
    const chain = { ...stage.chain, rpc: { ...stage.chain.rpc, primary: 'http://127.0.0.1:9' } }
    const clients = createChainClients(chain)
    const reads = createChainReads(chain, clients, null)
    const liveReads = { bondPolicy: reads.bondPolicy, poolPlacedRaw: reads.poolPlacedRaw }
    const body = await onboarding({ chain, clients, reads, liveReads })
    const failed = { available: false, reason: 'live_chain_read_failed' }
    expect(body.economics).not.toHaveProperty('posterFeeBps')
    expect(body.economics).not.toHaveProperty('feeRecipient')
    const missing = { status: 'unavailable', reason: 'live_chain_read_failed' }
    expect(body.economics.availability).toEqual({ protocolFeeBps: missing, feeRecipient: missing })
    expect([body.workerFacts.claimBond, body.workerFacts.disputeWindow]).toEqual([failed, failed])
    const { asOf: _at, ...states } = body.liveReads
    for (const state of Object.values(states)) expect(state).toEqual(failed)
  })

  test('says how a wallet comes onto the list while posting is not open', async () => {
    const body = await onboarding({ settings: { ...stage.settings, EXTERNAL_POSTING_MODE: 'allowlist' } })
    expect(body).toMatchObject({ mode: 'allowlist', allowlistEnrollment: expect.stringContaining('operator') })
  })
})
