import { describe, expect, test } from '@jest/globals'
import { judgementTerms } from '../../../domain/catalogue/judgement-terms.ts'
import { arbitrationEndsAt } from '../../../domain/disputes/stage.ts'
import { reviewSeconds } from '../../../domain/sessions/review-deadline.ts'
import type { VerifierConfig } from '../../../schemas/catalogue/job-definition.ts'
import { VERIFIER_MODES } from '../../../schemas/catalogue/job-terms.ts'
import { JudgementTermsShape } from '../../../schemas/catalogue/judgement.ts'
import { builtJob, jobBody, prBody } from '../builders/job.ts'
import { profileConfig } from '../postings/builders/proof-gate.ts'

const people: VerifierConfig = { handler: 'human_fallback', version: 1, escalationMessage: 'A reviewer reads it.', autoApprove: false }
const deterministic: VerifierConfig = { handler: 'deterministic', version: 1, commitments: [], matchMode: 'exact' }

const [VERIFIER_S, PEOPLE_S] = [172_800, 172_800 + 1_209_600]
const verifier = { judge: 'verifier', deadlineSeconds: VERIFIER_S, byDefault: 'people_decide' }
const reviewers = { judge: 'people', deadlineSeconds: PEOPLE_S, byDefault: 'split' }

const profile = profileConfig()

const ROWS: readonly (readonly [name: string, config: VerifierConfig, stages: object[], words: RegExp])[] = [
  [
    'benchmark',
    builtJob(jobBody()).definition.verifierConfig,
    [verifier, reviewers],
    /as soon as it arrives\. Without a verdict within 48 hours/,
  ],
  ['deterministic', deterministic, [verifier, reviewers], /as soon as it arrives\. Without a verdict within 48 hours/],
  ['codehost_pr', builtJob(prBody()).definition.verifierConfig, [verifier, reviewers], /reads the pull request, and again/],
  ['human_fallback', people, [reviewers], /People judge a submission, within 14 days/],
  ['human_fallback that approves', { ...people, autoApprove: true }, [verifier, reviewers], /approves every valid submission/],
]

describe('the terms of a judgement', () => {
  test.each(ROWS)('of %s name the judges, their deadlines and the default before any claim', (_name, config, stages, words) => {
    const terms = judgementTerms(config)
    expect(terms).toEqual({ stages, defaultWorkerShareBps: 5_000, description: expect.stringMatching(words) })
    expect(terms.description).toContain('the worker gets half of the reward')
    expect(JudgementTermsShape.parse(terms)).toEqual(terms)
  })

  test('exist for every verifier mode', () => {
    expect(new Set([profile, ...ROWS.map(([, config]) => config)].map(({ handler }) => handler))).toEqual(new Set(VERIFIER_MODES))
  })

  test('of a profile name the verifier as the only judge, and give nothing of the reward without a result', () => {
    const terms = judgementTerms(profile)
    expect(terms).toMatchObject({
      stages: [{ judge: 'verifier', deadlineSeconds: 1_209_600, byDefault: 'split' }],
      defaultWorkerShareBps: 0,
    })
    expect(terms.description).toMatch(/one base unit of the reward and its bond back/)
    expect(reviewSeconds('verification_profile', { CODEHOST_PR_REVIEW_SLA_HOURS: 48 })).toBe(1_209_600)
  })

  test('have the deadlines that a session gets by its dates, also with another review time of pull requests', () => {
    for (const hours of [1, 48, 72.5]) {
      const at = reviewSeconds('codehost_pr', { CODEHOST_PR_REVIEW_SLA_HOURS: hours })
      const { stages, description } = judgementTerms(builtJob(prBody()).definition.verifierConfig, at)
      expect(stages.map(({ deadlineSeconds }) => deadlineSeconds * 1_000)).toEqual([at * 1_000, arbitrationEndsAt(at * 1_000)])
      expect(description).toContain(`within ${hours} hours`)
    }
    expect(judgementTerms(people, 3_600).stages).toEqual([reviewers])
  })
})
