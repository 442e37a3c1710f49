import { describe, expect, test } from '@jest/globals'
import { lifecycleState } from '../../../../domain/catalogue/job-definition.ts'
import { sourceGroup } from '../../../../domain/catalogue/source.ts'
import { verifierConfigHash } from '../../../../domain/catalogue/verification-contract.ts'
import { schemaErrors } from '../../../../domain/common/json-schema.ts'
import { claimBond } from '../../../../domain/eligibility/claim-economics.ts'
import { serveCompact, shorten } from '../../../../domain/eligibility/views/compact-job.ts'
import { type JobFacts, serveDefinition } from '../../../../domain/eligibility/views/definition.ts'
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
  decimals: 6,
  now: NOW,
  ...changes,
})

const BASE = 'https://work.example'
const POLICY = { stakeBps: 1000, feeBps: 200, minFeeRaw: 50_000n }

describe('a served job', () => {
  test.each(seedJobs().map((body): [string, typeof body] => [body.id, body]))(
    '%s has the published shape, in full and short',
    (_id, body) => {
      const job = jobRecord(builtJob(body))
      const served = serveDefinition(facts({ job }), BASE)
      expect(JobShape.strict().safeParse(served).error).toBeUndefined()
      const short = serveCompact(facts({ job }), claimBond(job.rewardRaw, POLICY, false))
      expect(CompactJobShape.strict().safeParse(short).error).toBeUndefined()
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
  test('shows the bond of a claim without waiver', () => {
    const row = serveCompact(facts(), claimBond(2_000_000n, POLICY, false))
    expect(row.stake).toEqual({ asset: 'USDC', raw: '200000', decimals: 6, display: '0.2' })
    expect(row.claimBond?.totalClaimLock.raw).toBe('250000')
    expect(serveCompact(facts(), null)).toMatchObject({ stake: null })
  })

  test('groups a job by its source, or by its category', () => {
    expect(serveCompact(facts(), null)).toMatchObject({ source: 'coding', sourceType: 'coding' })
    const row = serveCompact(facts({ job: jobRecord(builtJob(prBody())) }), null)
    expect(row).toMatchObject({ source: 'codehost', sourceType: 'codehost_issue', sourceDetails: { repo: 'acme/widgets', issueNumber: 7 } })
  })

  test('long text is cut at a word', () => {
    const cut = shorten('word '.repeat(100))
    expect(cut.length).toBeLessThanOrEqual(180)
    expect(cut.endsWith('word…')).toBe(true)
    expect(shorten('x'.repeat(500))).toHaveLength(180)
    expect(shorten(' a\n b ')).toBe('a b')
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
