import { describe, expect, test } from '@jest/globals'
import { lifecycleState } from '../../../../domain/catalogue/job-definition.ts'
import { judgementTerms } from '../../../../domain/catalogue/judgement-terms.ts'
import { sourceGroup } from '../../../../domain/catalogue/source.ts'
import { verifierConfigHash } from '../../../../domain/catalogue/verification-contract.ts'
import { schemaErrors } from '../../../../domain/common/json-schema.ts'
import { type ClaimBond, claimBond } from '../../../../domain/eligibility/claim-economics.ts'
import type { Evaluation } from '../../../../domain/eligibility/evaluate.ts'
import { serveCompact, shorten } from '../../../../domain/eligibility/views/compact-job.ts'
import { type JobFacts, serveDefinition } from '../../../../domain/eligibility/views/definition.ts'
import { NO_RECORD, posterRecordView } from '../../../../domain/postings/poster-record.ts'
import { seedJobs } from '../../../../local/catalogue/seed-jobs.ts'
import { LIFECYCLE_STATUS_MEANING } from '../../../../schemas/catalogue/claim-status.ts'
import { jobSchemaByRef } from '../../../../schemas/catalogue/job-schemas/registry.ts'
import type { ClaimStatus } from '../../../../schemas/catalogue/shapes.ts'
import { CompactJobShape, JobShape } from '../../../../schemas/catalogue/shapes.ts'
import { builtJob, jobBody, jobRecord, NOW, prBody } from '../../builders/job.ts'

const open: ClaimStatus = {
  claimState: 'open',
  state: 'open',
  effectiveState: 'claimable',
  claimable: true,
  currentWalletCanClaim: null,
  reason: 'claimable',
  retryLimit: 1,
  claimAttemptCount: 0,
  remainingClaimAttempts: 1,
  claimNumber: null,
  claimedBy: null,
  claimedAt: null,
  claimExpiresAt: null,
  sessionId: null,
  claimabilitySource: 'claimStatus',
  lifecycleStatusMeaning: LIFECYCLE_STATUS_MEANING,
}

const facts = (changes: Partial<JobFacts> = {}): JobFacts => ({
  job: jobRecord(),
  pinned: null,
  claimStatus: open,
  fundingState: 'available',
  readiness: { ready: true, reason: null, checkedAt: '2026-03-01T12:00:00.000Z', lastVerdictAt: null },
  priorityWindow: undefined,
  pullRequestReviewSeconds: 172_800,
  decimals: 6,
  now: NOW,
  ...changes,
})

const BASE = 'https://work.example'
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const POLICY = { stakeBps: 1000, feeBps: 200, minFeeRaw: 50_000n }

describe('a served job', () => {
  test.each(seedJobs().map((body): [string, typeof body] => [body.id, body]))(
    '%s has the published shape, in full and short',
    (_id, body) => {
      const job = jobRecord(builtJob(body))
      const served = serveDefinition(facts({ job }), BASE)
      expect(JobShape.strict().safeParse(served).error).toBeUndefined()
      const short = serveCompact(facts({ job }), { reason: 'claimable', bond: claimBond(job.rewardRaw, POLICY, false) })
      expect(CompactJobShape.safeParse(short).error).toBeUndefined()
      expect(bytesOf(short)).toBeLessThanOrEqual(400)
    },
  )

  test('repeats every member of its claim status at the top', () => {
    const served = serveDefinition(facts(), BASE)
    expect(served).toMatchObject(open)
    expect(served.claimStatus).toEqual(open)
  })

  test('shows the reward as a number beside its exact digits', () => {
    const served = serveDefinition(facts({ job: jobRecord(builtJob(jobBody({ rewardAmount: 2.5 }))) }), BASE)
    expect([served.rewardAmount, served.rewardAmountRaw]).toEqual([2.5, '2500000'])
  })

  test('says how to submit, with an example its own schema accepts', () => {
    const { submissionContract, outputSchemaRef } = serveDefinition(facts(), BASE)
    expect(submissionContract).toMatchObject({
      endpoint: 'POST /jobs/submit',
      validationEndpoint: 'POST /jobs/validate-submission',
      submissionShape: 'direct_schema_object',
      structuredSubmissionRequired: true,
      schemaValidates: 'payload.submission',
      doNotWrapInOutput: true,
      compatibilityAliases: ['payload.submission.output'],
      outputSchemaUrl: '/schemas/jobs/coding-output.json',
      submitPayloadExample: {
        sessionId: '<session-id>',
        submission: { summary: '<summary>', output: '<output>', status: 'complete' },
      },
    })
    expect(schemaErrors(jobSchemaByRef(outputSchemaRef) ?? {}, submissionContract.submitPayloadExample.submission)).toEqual([])
  })

  test('names one schema of the result everywhere', () => {
    const served = serveDefinition(facts({ job: jobRecord(builtJob(prBody())) }), BASE)
    const refs = [
      served.outputSchemaRef,
      served.submissionContract.outputSchemaRef,
      served.schemaContract.output.schemaRef,
      served.verificationContract.evidenceSchemaRef,
      served.verification?.evidenceSchemaRef,
    ]
    expect(new Set(refs)).toEqual(new Set(['schema://jobs/codehost-pr-evidence-output']))
  })

  test('carries the contract of its verifier', () => {
    const served = serveDefinition(facts(), BASE)
    expect(served.verificationContract).toEqual({
      version: 'verification-contract-v1',
      verifierMode: 'benchmark',
      handler: 'benchmark',
      verifierPolicyVersion: 1,
      verifierConfigVersion: 2,
      verifierConfigHash: verifierConfigHash(served.verifierConfig),
      evidenceSchemaRef: 'schema://jobs/coding-output',
      replayEndpoint: 'POST /verifier/replay',
      resultEndpoint: 'GET /verifier/result',
      snapshotFields: [
        'verificationInput',
        'verificationInputHash',
        'verifierConfigSnapshot',
        'verifierConfigHash',
        'verifierPolicyVersion',
        'verifierConfigVersion',
        'handlerVersion',
        'evidenceSchemaRef',
      ],
    })
    expect(served.settlement.path).toBe('automatic')
    expect(served.verificationDepth).toContain('does not judge')
  })

  test('a pull-request job discloses, is reviewed by people and says how long that may take', () => {
    const served = serveDefinition(facts({ job: jobRecord(builtJob(prBody())) }), BASE)
    expect(served.disclosure?.required).toBe(true)
    expect(served.disclosure?.canonicalFooter).toContain('Job spec: https://work.example/jobs/definition?jobId=job-1')
    expect(served.settlement).toMatchObject({ path: 'human_review', humanReviewWorstCaseSeconds: 1_382_400 })
    expect(served.verificationDepth).toBeUndefined()
  })

  test('the terms of the judgement stand beside the terms of its hash, and change nothing of them', () => {
    const job = jobRecord()
    const served = serveDefinition(facts({ job, pullRequestReviewSeconds: 3_600 }), BASE)
    expect(served.settlement.judgement).toEqual(judgementTerms(job.definition.verifierConfig))
    expect(job.definition).not.toHaveProperty('settlement')
    expect(served.provenance.specHash).toBe(job.specHash)
    expect(serveDefinition(facts({ job }), BASE, { isRow: true }).settlement).not.toHaveProperty('judgement')
    const pullRequest = jobRecord(builtJob(prBody()))
    const reviewed = serveDefinition(facts({ job: pullRequest, pullRequestReviewSeconds: 3_600 }), BASE)
    expect(reviewed.settlement.judgement?.stages.map(({ deadlineSeconds }) => deadlineSeconds)).toEqual([3_600, 3_600 + 14 * 86_400])
  })

  test('the record of a poster stands beside the job of an external one only', () => {
    const poster = posterRecordView(NO_RECORD, { symbol: 'USDC', decimals: 6 })
    const served = serveDefinition(facts({ job: jobRecord(builtJob(), { postingRoute: 'external-direct' }) }), BASE, { poster })
    expect(JobShape.strict().parse(served).poster).toEqual(poster)
    expect(serveDefinition(facts(), BASE)).not.toHaveProperty('poster')
  })

  test('other jobs ask for no disclosure', () => {
    expect(serveDefinition(facts(), BASE)).not.toHaveProperty('disclosure')
  })

  test('shows the pinned terms once it was claimed, whatever the catalogue says by now', () => {
    const pinned = builtJob(jobBody({ title: 'Terms as claimed' })).definition
    const served = serveDefinition(facts({ pinned }), BASE)
    expect([served.title, served.definitionSource]).toEqual(['Terms as claimed', 'claim_snapshot'])
    expect(serveDefinition(facts(), BASE).definitionSource).toBe('catalogue')
  })

  test('the priority window appears only where there is one', () => {
    const priorityWindow = { openAt: '2026-03-01T12:30:00.000Z', qualifiesWith: 'depositors' }
    expect(serveDefinition(facts({ priorityWindow }), BASE).priorityWindow).toEqual(priorityWindow)
    expect(serveDefinition(facts(), BASE)).not.toHaveProperty('priorityWindow')
  })

  test('an external, delisted job says so', () => {
    const job = jobRecord(builtJob(), { postingRoute: 'external-direct', delistedAt: NOW, delistReason: 'spam' })
    expect(serveDefinition(facts({ job }), BASE)).toMatchObject({
      listingStatus: 'delisted',
      contentTrust: 'external-unreviewed',
      provenance: { posterTier: 'external-self-serve', postingRoute: 'external-direct' },
    })
  })

  test('an open job is stale from its instant on; a paused one is paused', () => {
    const job = jobRecord(builtJob(), { staleAt: NOW })
    expect(lifecycleState(job, NOW - 1)).toBe('open')
    expect(lifecycleState(job, NOW)).toBe('stale')
    expect(lifecycleState({ ...job, lifecycleStatus: 'paused' }, NOW)).toBe('paused')
    expect(lifecycleState({ ...job, staleAt: null }, NOW * 2)).toBe('open')
  })
})

describe('a compact row', () => {
  const rowOf = (changes: Partial<JobFacts> = {}, bond: ClaimBond | null = null, reason: Evaluation['reason'] = 'claimable') =>
    serveCompact(facts(changes), { reason, bond })
  const titled = (title: string, changes: { id?: string } = {}) => jobRecord(builtJob({ ...jobBody(), title, ...changes }))

  test('says what a choice needs, and nothing else', () => {
    expect(rowOf({}, claimBond(2_000_000n, POLICY, false))).toEqual({
      id: jobRecord().id,
      title: jobRecord().definition.title,
      tier: 'starter',
      category: 'coding',
      verifierMode: 'benchmark',
      reward: '2 USDC',
      bond: '0.25 USDC',
      waiverEligible: false,
      claimable: true,
      reason: 'claimable',
      claimTtlSeconds: 3_600,
      definitionUrl: `/jobs/definition?jobId=${jobRecord().id}`,
    })
    expect(rowOf().bond).toBeNull()
  })

  test('says of a wallet whether that wallet can claim the job', () => {
    expect(rowOf({ claimStatus: { ...open, currentWalletCanClaim: false } }, null, 'tier_locked')).toMatchObject({
      claimable: false,
      reason: 'tier_locked',
    })
    expect(rowOf({ claimStatus: { ...open, claimable: false, currentWalletCanClaim: true } }).claimable).toBe(true)
  })

  test.each([
    ['long words', 'words '.repeat(40), 'job'],
    ['one long word', 'x'.repeat(240), 'job'],
    ['letters of four bytes', '🦀'.repeat(120), 'job'],
    ['quotes', '"'.repeat(200), 'job'],
    ['a long id', 'words '.repeat(40), 'i'.repeat(60)],
  ])('stays within 400 bytes with a title of %s', (_what, title, id) => {
    const row = rowOf({ job: titled(title, { id }) }, claimBond(2_000_000n, POLICY, false), 'claim_ttl_expired_reopen_available')
    expect(bytesOf(row)).toBeLessThanOrEqual(400)
    expect(row.title.length).toBeLessThanOrEqual(80)
    expect(row.title.endsWith('…') && row.title.isWellFormed()).toBe(true)
  })

  test('cuts a title at a word, and keeps a short one', () => {
    expect(shorten('word '.repeat(100), 80)).toMatch(/^(word )*word…$/)
    expect(shorten('x'.repeat(500), 80)).toHaveLength(80)
    expect(shorten(' a\n b ', 80)).toBe('a b')
  })
})

describe('source filters', () => {
  test.each([
    ['GitHub', 'codehost'],
    ['codehost-issue', 'codehost'],
    ['wiki', 'wikipedia'],
    ['data-gov', 'open_data'],
    ['open-api', 'openapi'],
    ['osv_advisory', 'osv'],
    ['standards-spec', 'standards'],
    ['external', 'external'],
    ['research', 'research'],
  ])('%s means %s', (word, group) => {
    expect(sourceGroup(word)).toBe(group)
  })
})
