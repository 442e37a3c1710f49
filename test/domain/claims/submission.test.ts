import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  type CheckedSubmission,
  checkSubmission,
  type SubmissionTerms,
  TEXT_EVIDENCE_LIMIT_BYTES,
} from '../../../domain/claims/submission.ts'
import { acceptanceTime, claimExpired, isAcceptedLate, submissionRefusal } from '../../../domain/claims/submission-refusal.ts'
import { validateSubmissionAnswer, withCapacityWarning } from '../../../domain/claims/validation-response.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { checksumAddress } from '../../../domain/common/ids.ts'
import { jobSchemaByRef } from '../../../schemas/catalogue/job-schemas/registry.ts'
import { builtJob, jobBody, prBody } from '../builders/job.ts'
import { aSession, CLAIMED_AT } from '../builders/session.ts'

const termsOf = (schemaRef: string): SubmissionTerms => ({ schemaRef, schema: jobSchemaByRef(schemaRef) ?? null, pullRequest: null })
const coding = termsOf('schema://jobs/coding-output')
const review = termsOf('schema://jobs/pr-review-findings-output')
const text: SubmissionTerms = { schemaRef: '', schema: null, pullRequest: null }

const good = { summary: 'A retry policy.', output: 'Exponential backoff with jitter.', status: 'complete' }

const refused = (checked: CheckedSubmission) => {
  if (checked.valid) throw new Error('accepted')
  return checked
}

describe('a submission', () => {
  test('that is what the schema describes is taken as it stands, also when it has a member called output', () => {
    expect(checkSubmission(coding, good)).toEqual({
      valid: true,
      submission: { kind: 'structured', structured: good, evidenceText: 'A retry policy.\nExponential backoff with jitter.\ncomplete' },
      normalized: good,
      evidenceHash: keccakOf(good),
    })
  })

  test('wrapped in output is unwrapped and hashed as if it had come directly', () => {
    const checked = checkSubmission(coding, { output: good })
    const normalizedFrom = 'payload.submission.output'
    expect(checked).toMatchObject({ valid: true, normalized: good, normalizedFrom, evidenceHash: keccakOf(good) })
  })

  test('wrapped and wrong on both levels gets the direct shape as advice', () => {
    const checked = refused(checkSubmission(coding, { output: { summary: 'x' } }))
    expect(checked).toMatchObject({
      code: 'invalid_submission_shape',
      path: 'payload.submission.summary',
      details: {
        expected: 'payload.submission.summary',
        schemaValidates: 'payload.submission',
        received: 'payload.submission.output',
        hint: expect.any(String),
        directError: expect.objectContaining({ rule: 'required' }),
        outputError: expect.objectContaining({ rule: 'required', pointer: '/output' }),
      },
    })
  })

  test.each([
    ['as JSON text', JSON.stringify(good)],
    ['as JSON text with white space', ` ${JSON.stringify(good, null, 2)}\n`],
    ['in a code block', `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
    ['in a code block without a language', `\`\`\`\n${JSON.stringify(good)}\n\`\`\`\n`],
  ])('%s is refused with the advice to parse it first', (_how, submission) => {
    const { message, details } = refused(checkSubmission(coding, submission))
    for (const advice of [message, details?.hint]) expect(advice).toMatch(/parse (the JSON text|it) first/i)
    expect(refused(checkSubmission(coding, { output: submission })).message).toContain('Parse the JSON text first')
  })

  test.each([
    ['a list', '[1, 2]'],
    ['JSON text of JSON text', JSON.stringify(JSON.stringify(good))],
    ['a code block with words around it', `Here it is:\n\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`\n\nDone.`],
    ['a fence of tildes that is never closed', `~~~\n${JSON.stringify(good)}`],
  ])('that holds JSON as text in %s gets that as the reason', (_how, submission) => {
    expect(refused(checkSubmission(coding, submission)).message).toContain('Parse the JSON text first')
    expect(refused(checkSubmission(review, { summary: 's', findings: submission })).message).toContain('Parse the JSON text first')
    expect(checkSubmission(text, submission).valid).toBe(true)
  })

  test.each(['"text"', '7', 'null', '"null"', 'here is my work', '{ no JSON', '[see the log]', '```ts\nconst a = 1\n```', '```\n', ''])(
    'that is no JSON gets no advice to parse it: %s',
    (submission) => {
      expect(refused(checkSubmission(coding, submission)).message).not.toContain('Parse')
    },
  )

  test('given as text to a job with a schema gets what is expected', () => {
    expect(refused(checkSubmission(coding, 'here is my work'))).toMatchObject({
      code: 'invalid_request',
      details: {
        schemaRef: 'schema://jobs/coding-output',
        schemaValidates: 'payload.submission',
        hint: expect.any(String),
        received: 'payload.evidence',
        expected: 'payload.submission.summary',
      },
    })
  })

  test('names every failed member by path and by pointer', () => {
    const { summary: _left, ...rest } = good
    const checked = refused(checkSubmission(coding, { ...rest, status: 'later', surplus: 1 }))
    expect(checked.code).toBe('invalid_request')
    expect(checked.errorPaths.toSorted()).toEqual(['payload.submission.status', 'payload.submission.summary', 'payload.submission.surplus'])
    expect(checked.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ pointer: '/submission/summary', rule: 'required' }),
        expect.objectContaining({ pointer: '/submission/surplus', rule: 'additionalProperties' }),
        expect.objectContaining({ pointer: '/submission/status', rule: 'enum', limit: 'complete | partial | blocked' }),
      ]),
    )
  })

  test('without its output is refused with the path of that member', () => {
    expect(refused(checkSubmission(coding, { summary: 'x', status: 'complete' })).path).toBe('payload.submission.output')
  })

  test('errors deep inside a list are found', () => {
    const finding = { severity: 'high', file: 'a.ts', issue: 'x' }
    const submission = { summary: 's', findings: [finding], risk_level: 'low', files_touched: ['a.ts'], recommended_next_step: 'merge' }
    expect(refused(checkSubmission(review, submission)).errorPaths).toEqual(['payload.submission.findings.0.recommendation'])
  })

  test('a submission with a thousand errors reports a bounded number', () => {
    const submission = { ...good, ...Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, 1])) }
    expect(refused(checkSubmission(coding, submission)).errors).toHaveLength(20)
  })

  test.each([[null], [[]], [1], [true], [undefined]])('%p is no object and is refused, not crashed on', (submission) => {
    expect(checkSubmission(coding, submission).valid).toBe(false)
    expect(checkSubmission(text, submission).valid).toBe(false)
  })

  test.each([
    ['a NUL', { ...good, summary: 'a\u0000b' }],
    ['a NUL after backslashes', { ...good, summary: '\\\\\u0000' }],
    ['half a surrogate pair', { ...good, summary: '\ud800' }],
    ['endless nesting', JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)],
  ])('with %s is refused, since nothing could store it', (_name, submission) => {
    expect(refused(checkSubmission(coding, submission))).toMatchObject({ code: 'invalid_request', errors: [expect.anything()] })
  })

  test('the text \\u0000 written out is ordinary text', () => {
    expect(checkSubmission(coding, { ...good, summary: 'prints \\u0000 here' }).valid).toBe(true)
  })

  test('a pinned schema with the id of the present one is held to its own words', () => {
    const pinned = { ...coding.schema, required: ['output'] }
    expect(checkSubmission({ schemaRef: coding.schemaRef, schema: pinned, pullRequest: null }, { output: 'x' }).valid).toBe(true)
    expect(checkSubmission(coding, { output: 'x' }).valid).toBe(false)
  })

  test('text evidence is measured in bytes', () => {
    const fits = 'é'.repeat(TEXT_EVIDENCE_LIMIT_BYTES / 2)
    const submission = { kind: 'text', rawText: fits }
    expect(checkSubmission(text, fits)).toMatchObject({ valid: true, submission, evidenceHash: keccakOf(fits) })
    expect(refused(checkSubmission(text, `${fits}x`)).errors[0]).toMatchObject({ rule: 'maxBytes', limit: 16_384 })
    expect(checkSubmission(text, ' \n').valid).toBe(false)
    expect(checkSubmission(text, good).valid).toBe(false)
  })

  test('whatever JSON comes in, the answer is a verdict and never an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const checked = checkSubmission(coding, value)
        if (!checked.valid) expect(checked.errorPaths.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('the answer of validate-submission', () => {
  const { definition } = builtJob(jobBody())
  const pr = builtJob(prBody()).definition
  const URL = 'https://work.example/jobs/definition?jobId=job-1'
  const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
  const claimant = { wallet: WALLET, sessionId: 'job-1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
  const ask = (submission: unknown) =>
    validateSubmissionAnswer({ definition, definitionUrl: URL, terms: coding, submission, claimant: null })
  const askPr = (rest: object, who: typeof claimant | null = null) =>
    validateSubmissionAnswer({
      definition: pr,
      definitionUrl: URL,
      terms: termsOf(pr.outputSchemaRef),
      submission: { prUrl: 'https://codehost.example/acme/widgets/pull/7', summary: 's', tests: 't', ...rest },
      claimant: who,
    })

  test.each<[string, unknown]>([
    ['one long member name', { ['n'.repeat(60_000)]: 1 }],
    ['one long member name of slashes', { ['/'.repeat(60_000)]: 1 }],
    ['twenty long member names', Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}${'n'.repeat(2_900)}`, 1]))],
    ['a long member name in its output', { output: { ['n'.repeat(60_000)]: 1 } }],
    ['a long member name beside its output', { ['n'.repeat(60_000)]: 1, output: {} }],
    ['a long member name with half a surrogate pair', { ['n'.repeat(60_000)]: '\ud800' }],
    ['a long member name with a number beyond all bounds', { ['n'.repeat(60_000)]: Number.POSITIVE_INFINITY }],
    ['6,000 member names', Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`a${index}`, 1]))],
    ['a long text', 'x'.repeat(60_000)],
  ])('is shorter than a submission with %s', (_name, submission) => {
    const answer = ask(submission)
    expect([answer.valid, JSON.stringify(answer).length < 20_000]).toEqual([false, true])
  })

  const common = {
    jobId: 'job-1',
    validationEndpoint: 'POST /jobs/validate-submission',
    submitEndpoint: 'POST /jobs/submit',
    submissionShape: 'direct_schema_object',
    schemaValidates: 'payload.submission',
    doNotWrapInOutput: true,
    requiredTopLevelKeys: ['summary', 'output', 'status'],
    schemaRef: 'schema://jobs/coding-output',
  }

  test('says that a good submission is safe to submit, and what would be stored', () => {
    expect(ask(good)).toEqual({
      ...common,
      valid: true,
      submitSafe: true,
      submissionKind: 'structured',
      normalizedSubmission: good,
      evidenceHash: keccakOf(good),
    })
  })

  test('says what is wrong with a bad one', () => {
    const answer = ask({ ...good, status: 'later' })
    expect(answer).toMatchObject({ ...common, valid: false, submitSafe: false, code: 'invalid_request', path: 'payload.submission.status' })
    expect(answer).not.toHaveProperty('normalizedSubmission')
  })

  test('warns where the repository was full, and leaves it to submit to look again', () => {
    const answer = withCapacityWarning(askPr({}), { repo: 'acme/widgets', openCount: 3, openPrCap: 3 })
    expect(answer).toMatchObject({ valid: true, submitSafe: true })
    expect(answer.warnings?.at(-1)).toEqual({
      code: 'maintainer_open_pr_cap_reached',
      message: expect.stringMatching(/acme\/widgets has 3 .* allows 3\./),
    })
  })

  test('hands out the footer with a bad one, too, and says that the text of the pull request was not read', () => {
    const answer = askPr({ prUrl: 7 })
    expect(answer).toMatchObject({ valid: false, disclosure: { status: 'unavailable', hint: expect.any(String) } })
    expect(answer.disclosure?.footer).toContain('Submission: <submission-hash>')
    expect(ask({ ...good, status: 'later' })).not.toHaveProperty('disclosure')
  })

  test('says that a submission is not safe where its terms alone decide that the verifier rejects it', () => {
    const answer = ask({ ...good, output: 'Wait longer each time.' })
    expect(answer).toMatchObject({ valid: true, submitSafe: false, warnings: [{ code: 'verifier_will_reject' }] })
    expect(answer.warnings?.[0]?.message).toContain('0 of 3 terms found, 2 needed.')
  })

  test('warns when a submission had to be unwrapped', () => {
    expect(ask({ output: good }).warnings).toEqual([{ code: 'submission_unwrapped', message: expect.any(String) }])
  })

  test('a pull request that names no claimant is valid, warned about and given the footer', () => {
    const answer = askPr({ prBody: 'Keeps the last row.' })
    expect(answer).toMatchObject({ valid: true, warnings: [{ code: 'disclosure_binding_missing' }], disclosure: { status: 'missing' } })
    expect(answer.disclosure?.footer).toContain(`Submission: ${answer.evidenceHash}`)
  })

  test('the holder of the claim gets the footer filled in, and pasting it binds', () => {
    const footer = askPr({ prBody: 'Keeps the last row.' }, claimant).disclosure?.footer ?? ''
    expect(footer).toContain(`Agent identity: ${checksumAddress(WALLET)}`)
    expect(footer).toContain(`Claim session: ${claimant.sessionId}`)
    const answer = askPr({ prBody: footer }, claimant)
    expect(answer.disclosure?.status).toBe('matched')
    expect(answer).not.toHaveProperty('warnings')
  })

  test('a text without the person whom the claim named is warned about until it has the footer', () => {
    const named = { ...claimant, responsiblePerson: 'Ada Lovelace' }
    const bare = askPr({ prBody: `Claim session: ${claimant.sessionId}` }, named)
    expect(bare.warnings).toEqual([{ code: 'disclosure_binding_missing', message: expect.stringContaining('responsible person') }])
    expect(askPr({ prBody: bare.disclosure?.footer }, named)).not.toHaveProperty('warnings')
  })

  test('a text that names another claimant is warned about, and without text or claim the binding is open', () => {
    expect(askPr({ prBody: `Wallet: 0x${'12'.repeat(20)}` }, claimant)).toMatchObject({
      disclosure: { status: 'mismatched' },
      warnings: [{ code: 'disclosure_binding_missing' }],
    })
    expect(askPr({})).toMatchObject({ valid: true, disclosure: { status: 'unavailable' } })
    expect(askPr({ prBody: `Wallet: ${WALLET}` }).disclosure?.status).toBe('claimant_context_missing')
  })

  test('the footer never enters what is stored', () => {
    expect(JSON.stringify(askPr({ prBody: 'x' }, claimant).normalizedSubmission)).not.toContain('Agent identity')
  })
})

test.each([
  ['when the service took it in', '1970-01-01T00:00:05.000Z', 5_000],
  ['now, where the claim begins later', '1970-01-01T00:00:09.001Z', 9_000],
  ['now, where no instant is given', undefined, 9_000],
  ['now, where the given text is no instant', 'yesterday', 9_000],
])('a submission is in time by %s', (_by, acceptedAt, at) => {
  expect(acceptanceTime(acceptedAt, 9_000)).toBe(at)
})

test.each([
  ['2026-11-23T07:00:00.001Z', true],
  ['2026-11-23T07:00:00.000Z', false],
  ['2026-11-23T07:00:12.999Z', true],
  ['no instant', false],
  [undefined, false],
])('of a claim that ends at 07:00:12 a submission of %s came in the last moments: %s', (acceptedAt, came) => {
  expect(isAcceptedLate(acceptedAt, Date.parse('2026-11-23T07:00:12Z'))).toBe(came)
})

describe('work for a session whose chain went another way', () => {
  const submission = { kind: 'text' as const, rawText: 'w', evidenceText: 'w' }
  const chainStateDivergence = { expected: 'submitted', observed: 'claimed', at: '2026-01-01T00:00:00.000Z' }

  test.each([
    ['of the record', { status: 'chain_state_diverged', submission, evidenceHash: '0x1' }, 'chain_state_diverged'],
    ['that was dropped', { status: 'chain_state_diverged', submission: null, evidenceHash: null }, 'chain_state_diverged'],
    ['that a fork took after its verdict', { status: 'closed', submission, evidenceHash: '0x1' }, 'chain_state_diverged'],
    ['other than that of the record', { status: 'closed', submission, evidenceHash: '0x2' }, 'job_session_completed'],
  ] as const)('%s gets it as the reason', (_whose, stands, code) => {
    const refusal = submissionRefusal(aSession({ ...stands, chainStateDivergence }), '0x1', CLAIMED_AT)
    expect(refusal?.code).toBe(code)
    if (code === 'chain_state_diverged') expect(refusal?.info.details).toMatchObject(chainStateDivergence)
  })

  test('that was closed without it is answered as before', () => {
    expect(submissionRefusal(aSession({ status: 'closed', submission, evidenceHash: '0x1' }), '0x1', CLAIMED_AT)).toBeNull()
  })
})

test('a claim that is timed out on chain refuses a submission with its terms', () => {
  const session = aSession({ status: 'claimed' })
  const { sessionId, jobId, wallet, claimTtlSeconds } = session
  const times = { claimedAt: new Date(CLAIMED_AT).toISOString(), claimExpiresAt: new Date(session.claimExpiresAt).toISOString() }
  const details = { sessionId, jobId, status: 'claimed', claimedBy: wallet, claimTtlSeconds, ...times }
  const refusal = claimExpired({ ...session, claimedAt: CLAIMED_AT })
  expect([refusal.code, refusal.info.details]).toEqual(['claim_expired', details])
  const later = submissionRefusal(aSession({ status: 'expired' }), '0x1', CLAIMED_AT)
  expect(later?.info.details).toEqual({ ...details, status: 'expired' })
})
