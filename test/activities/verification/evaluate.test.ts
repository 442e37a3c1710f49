import { describe, expect, test } from '@jest/globals'
import { ENVIRONMENT, evaluateSession, replayDrift } from '../../../activities/verification/evaluate.ts'
import type { VerifierHandlers } from '../../../activities/verification/registry.ts'
import { verificationContract, verifierConfigHash } from '../../../domain/catalogue/verification-contract.ts'
import { captureSnapshot } from '../../../domain/sessions/snapshot.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { builtJob, jobBody, jobRecord, NOW } from '../../domain/builders/job.ts'
import { aSession } from '../../domain/builders/session.ts'

const WORK = { summary: 'A retry budget.', output: 'Backoff with jitter.', status: 'complete' }
const EVIDENCE = `0x${'e'.repeat(64)}` as const
const BASE = { publicBaseUrl: 'https://work.example', now: NOW + 1_000, expectedOutputs: [] }

const job = jobRecord()
const pinned = (changes: Partial<SessionRecord> = {}): SessionRecord => {
  const terms = { job, decimals: 6, capturedAt: NOW, chainId: 31_337, escrowAddress: `0x${'5'.repeat(40)}`, claimEconomics: {} }
  const jobSnapshot = captureSnapshot({ ...terms, specSource: 'chain_verified' })
  if (jobSnapshot === null) throw new Error('not captured')
  const submission = { kind: 'structured', structured: WORK } as never
  return { ...aSession(), verifierMode: 'benchmark', jobSnapshot, submission, evidenceHash: EVIDENCE, ...changes }
}

const FOUND = {
  jobId: 'job-1',
  sessionId: aSession().sessionId,
  handler: 'benchmark',
  handlerVersion: 2,
  score: 67,
  outcome: 'approved',
  reasonCode: 'BENCHMARK_THRESHOLD_MET',
  detail: 'Two of three.',
  items: [{ criterion: 'terms_found', result: 'met', evidence: '/verificationInput' }],
}
const UNMET = [{ criterion: 'terms_found', result: 'unmet', evidence: '/verificationInput' }]

/** Handlers of which the one for `benchmark` answers so; `asked` is what it was asked. */
const answering = (answer: unknown) => {
  const asked: Record<string, unknown>[] = []
  const evaluate = async (input: Record<string, unknown>) => {
    asked.push(input)
    return answer
  }
  return { asked, handlers: new Map([['benchmark', { handler: 'benchmark', evaluate }]]) as unknown as VerifierHandlers }
}
const recordOf = async (session: SessionRecord, answer: unknown = FOUND) => {
  const found = await evaluateSession(session, answering(answer).handlers, BASE)
  if (!('verdict' in found)) throw new Error('no verdict')
  return found.verdict
}

describe('a verdict', () => {
  test('is stored with its pins, its input and the contract it was given by', async () => {
    const session = pinned()
    const { jobSnapshot: pin } = session
    expect(await recordOf(session)).toEqual({
      ...FOUND,
      metadataURI: `https://work.example/badges/${encodeURIComponent(session.sessionId)}`,
      environment: ENVIRONMENT,
      evaluatedAt: new Date(BASE.now).toISOString(),
      verifierPolicyVersion: pin.verifierPolicyVersion,
      verifierConfigVersion: pin.verifierConfigVersion,
      verifierConfigHash: pin.verifierConfigHash,
      verifierConfigSnapshot: pin.verifierConfigSnapshot,
      verificationContract: { ...verificationContract(job.definition), handlerVersion: 2, verificationInputHash: EVIDENCE },
      evidenceSchemaRef: 'schema://jobs/coding-output',
      verificationInput: session.submission,
      verificationInputHash: EVIDENCE,
      badgeSnapshot: session.badgeSnapshot,
    })
    expect(ENVIRONMENT).toEqual({ kind: 'service', runtime: 'node', version: process.versions.node })
  })

  test.each(['approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault'])('of the outcome %s keeps it', async (outcome) => {
    const items = outcome === 'rejected' ? UNMET : FOUND.items
    expect((await recordOf(pinned(), { ...FOUND, outcome, items })).outcome).toBe(outcome)
  })

  test.each([
    ['an approval over an unmet item', { items: UNMET }, 'an approval has unmet items: terms_found'],
    ['an approval without items', { items: [] }, 'an approval needs at least one item'],
    ['a rejection without an unmet item', { outcome: 'rejected' }, 'a rejection needs an unmet item'],
  ])('%s is no verdict', async (_name, changes, problem) => {
    await expect(recordOf(pinned(), { ...FOUND, ...changes })).rejects.toThrow(problem)
  })

  test('of an unknown outcome is the fault of the platform, never a rejection', async () => {
    expect(await recordOf(pinned(), { ...FOUND, outcome: 'failed' })).toMatchObject({ outcome: 'platform_fault', score: 67 })
  })

  test('on terms that do not verify is the fault of the platform, and no handler is asked', async () => {
    const session = pinned()
    const broken = { ...session, jobSnapshot: { ...session.jobSnapshot, definitionHash: EVIDENCE } }
    const { handlers, asked } = answering(FOUND)
    const found = await evaluateSession(broken, handlers, BASE)
    expect(found).toMatchObject({
      verdict: {
        jobId: 'job-1',
        sessionId: session.sessionId,
        handler: 'benchmark',
        handlerVersion: 0,
        outcome: 'platform_fault',
        score: 0,
        detail: 'The terms pinned at the claim do not verify.',
        evaluatedAt: new Date(BASE.now).toISOString(),
      },
    })
    expect(found).toHaveProperty('verdict.reasonCode', expect.stringMatching(/^[a-z_]+$/i))
    expect(found).not.toHaveProperty('verdict.verificationContract')
    expect(asked).toEqual([])
  })

  test('that nothing here can give is none yet', async () => {
    const unhandled = await evaluateSession(pinned(), new Map() as unknown as VerifierHandlers, BASE)
    expect(unhandled).toEqual({ unavailable: { reasonCode: 'HUMAN_REVIEW_REQUIRED', detail: 'No handler for benchmark runs here.' } })
    const away = { unavailable: { reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail: 'The page is away.' } }
    expect(await evaluateSession(pinned(), answering(away).handlers, BASE)).toEqual(away)
  })
})

describe('a handler is asked about', () => {
  const asked = async (session: SessionRecord, submission?: unknown) => {
    const { handlers, asked: questions } = answering(FOUND)
    await evaluateSession(session, handlers, { ...BASE, submission })
    return questions[0]
  }

  test('the work, with the terms captured at the claim', async () => {
    const session = pinned()
    expect(await asked(session)).toEqual({
      sessionId: session.sessionId,
      wallet: session.wallet,
      expectedOutputs: [],
      submission: WORK,
      knownRepository: null,
      attemptKey: null,
      config: job.definition.verifierConfig,
      definition: job.definition,
      outputSchema: session.jobSnapshot.outputSchema.schema,
    })
  })

  test.each([
    ['a text as it was written', { submission: { kind: 'text', rawText: 'All is done.' } }, 'All is done.'],
    ['nothing where nothing was submitted', { submission: null, evidenceHash: null }, null],
  ])('%s', async (_what, changes, given) => {
    expect((await asked(pinned(changes as never)))?.submission).toEqual(given)
  })

  const REFUSED_BY = { gate: 'tier', code: 'tier_locked', message: 'The skill of the wallet is below what this tier needs.' }
  const admission = { ...aSession().admission, refusedBy: REFUSED_BY }
  test.each([
    ['a claim that was not admitted', { admission }, 'CLAIMANT_NOT_ADMITTED', 'claim_admitted'],
    ['a hash on chain without its work', { submission: null }, 'SUBMISSION_NOT_PROVIDED', 'submission_provided'],
  ])('never of %s, which is rejected', async (_what, changes, reasonCode, criterion) => {
    const session = pinned(changes as never)
    expect(await asked(session)).toBeUndefined()
    const found = await evaluateSession(session, answering(FOUND).handlers, BASE)
    const items = [{ criterion, result: 'unmet', evidence: expect.any(String) }]
    expect(found).toMatchObject({ verdict: { outcome: 'rejected', score: 0, reasonCode, handler: session.verifierMode, items } })
    expect((await asked(session, 'other work'))?.submission).toBe('other work')
  })

  test('other work than the session’s, for a preview', async () => {
    expect((await asked(pinned(), 'other work'))?.submission).toBe('other work')
  })
})

describe('a replay shows what changed since the claim', () => {
  const same = (value: unknown) => ({ captured: value, live: value })

  test('nothing, while the job is as it was', () => {
    expect(replayDrift(pinned(), job.definition)).toEqual({
      handler: same('benchmark'),
      handlerVersion: same(2),
      evidenceSchemaRef: same('schema://jobs/coding-output'),
      verifierPolicyVersion: same(1),
      verifierConfigHash: same(verifierConfigHash(job.definition.verifierConfig)),
    })
  })

  test('another rule of the job, and other rules of this service', () => {
    const { definition } = builtJob(jobBody({ verifierTerms: ['jitter', 'ceiling'] }))
    const session = pinned()
    const older = { ...session, jobSnapshot: { ...session.jobSnapshot, handlerVersion: 1, verifierPolicyVersion: 7 } }
    expect(replayDrift(older, definition)).toMatchObject({
      handlerVersion: { captured: 1, live: 2 },
      verifierPolicyVersion: { captured: 7, live: 1 },
      verifierConfigHash: { captured: session.jobSnapshot.verifierConfigHash, live: verifierConfigHash(definition.verifierConfig) },
    })
  })

  test('a job that is gone', () => {
    expect(replayDrift(pinned(), null)).toMatchObject({
      handler: { captured: 'benchmark', live: null },
      handlerVersion: { live: 2 },
      evidenceSchemaRef: { live: null },
      verifierConfigHash: { live: null },
    })
  })
})
