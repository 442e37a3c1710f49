// What stands against a job that a profile judges.
import { randomBytes } from 'node:crypto'
import { expect } from '@jest/globals'
import type { FreezeAnswer, FreezeContract } from '../../../../schemas/paid-verification/profiles/freeze.ts'
import { frozenContract, profilePosting } from '../../../domain/postings/builders/proof-gate.ts'
import { freshDefinition, freshPoster } from '../../support/posting-stage.ts'
import { CLAIMANT } from './definitions.ts'
import type { Blocker, Stage } from './row.ts'

const TERMS = 'GET /poster/onboarding'
const answering = (answer: FreezeAnswer) => async () => answer
const FROZEN = answering({ kind: 'frozen', contract: frozenContract() })
/** Inputs that no other row has. */
const fresh = () => ({ ...profilePosting({ commit: randomBytes(20).toString('hex') }), designatedClaimants: [CLAIMANT] })

/** Drafts that are refused before or while their contract is frozen. */
export const proofBlockers = (stage: Stage): Blocker[] => {
  const whileRunner = (says: FreezeContract, definition: object) => stage.whileRunner(says, () => stage.draftBy(freshPoster(), definition))
  const stated = (name: string, code: string, details: object, pointer: string, changes: object): Blocker => ({
    ...{ code, name, status: 400, details, next: [TERMS], pointer: `/definition${pointer}` },
    play: async () => [await whileRunner(FROZEN, { ...fresh(), ...changes }), await whileRunner(FROZEN, fresh())],
  })
  const config = { profileRef: 'git-patch-tests-v1@1' }
  return [
    stated(
      'a profile without a claimant',
      'designated_claimants_cardinality_invalid',
      { rule: 'exactly_one', limit: 1 },
      '/designatedClaimants',
      {
        designatedClaimants: undefined,
      },
    ),
    stated('a profile that releases no escrow', 'invalid_request', { rule: 'escrow_profile' }, '/verifierConfig/profileRef', {
      verifierConfig: { ...fresh().verifierConfig, profileRef: 'mcp-failure-semantics-v1@1' },
    }),
    stated('a profile without its inputs', 'invalid_request', { rule: 'required' }, '/verifierConfig', { verifierConfig: undefined }),
    stated('inputs with the patch of a worker', 'invalid_request', {}, '/verifierConfig/inputs/patch', {
      verifierConfig: { ...config, inputs: { ...fresh().verifierConfig.inputs, patch: {} } },
    }),
    stated('the work of another schema', 'invalid_request', { rule: 'patch_submission' }, '/outputSchemaRef', {
      outputSchemaRef: 'schema://jobs/coding-output',
    }),
    stated('terms beside a profile', 'invalid_request', { rule: 'verifier_mode' }, '/verifierTerms', { verifierTerms: ['jitter'] }),
    stated('a profile of another verifier', 'invalid_request', { rule: 'verifier_mode' }, '/verifierConfig', {
      ...{ verifierMode: 'benchmark', verifierTerms: ['jitter'], designatedClaimants: undefined },
    }),
    {
      ...{ code: 'verification_contract_refused', name: 'a contract that proves nothing', status: 422 },
      ...{ next: ['POST /jobs/draft'], details: { rule: 'no_differential_check' }, pointer: '/definition/verifierConfig/inputs' },
      play: async () => {
        const definition = fresh()
        const refusing = answering({ kind: 'refused', refusals: ['no_differential_check', 'sentinel_missing'] })
        const refused = await whileRunner(refusing, definition)
        expect(refused.body.errors.map(({ rule }: { rule: string }) => rule)).toEqual(['no_differential_check', 'sentinel_missing'])
        const asked = stage.freezes.length
        // The refusal is kept: only other inputs change it.
        expect((await whileRunner(FROZEN, definition)).body.code).toBe('verification_contract_refused')
        expect(stage.freezes).toHaveLength(asked)
        return [refused, await whileRunner(FROZEN, fresh())]
      },
    },
    {
      ...{ code: 'verification_contract_freezing', name: 'a contract in work', status: 503, retryable: true, next: ['wait'], details: {} },
      play: async () => {
        const definition = fresh()
        const done = Promise.withResolvers<FreezeAnswer>()
        const refused = await stage.withSettings({ CHAIN_WAIT_SECONDS: 0.01 }, () => whileRunner(() => done.promise, definition))
        done.resolve({ kind: 'frozen', contract: frozenContract() })
        const right = await whileRunner(() => done.promise, definition)
        expect(right.body.definition.verifierConfig).toMatchObject({
          ...{ profileRef: 'git-patch-tests-v1@1', contract: { contractDigest: 'd'.repeat(64), targetedTests: 1, regressionTests: 2 } },
        })
        return [refused, right]
      },
    },
    {
      ...{ code: 'external_open_drafts_cap_reached', name: 'one more open draft before its contract is frozen', status: 409 },
      ...{ details: { rule: 'open_drafts_of_a_wallet', limit: 1, open: 1 }, next: ['wait', 'GET /poster/jobs'], retryable: true },
      play: async () => {
        const poster = freshPoster()
        const draftWith = (definition: object) => stage.whileRunner(FROZEN, () => stage.post(poster, '/jobs/draft', { definition }))
        return stage.withSettings({ EXTERNAL_POSTING_OPEN_DRAFTS: 1 }, async () => {
          const definition = freshDefinition(fresh())
          await draftWith(definition)
          const asked = stage.freezes.length
          const refused = await draftWith(freshDefinition(fresh()))
          expect(stage.freezes).toHaveLength(asked)
          return [refused, await draftWith(definition)]
        })
      },
    },
    {
      ...{ code: 'verification_profile_unavailable', name: 'a profile without a runner', status: 503, retryable: true },
      ...{ next: ['wait', 'GET /verify/profiles'], details: {} },
      play: async () => {
        const definition = fresh()
        const refused = await stage.draftBy(freshPoster(), definition)
        const right = await whileRunner(FROZEN, definition)
        // An answer without a result belongs to its key, so the repeat has another.
        const [first, second] = stage.freezes.slice(-2)
        expect([first?.replace(/1$/, '2'), refused.body.reason]).toEqual([second, 'runner_fault'])
        return [refused, right]
      },
    },
  ]
}
