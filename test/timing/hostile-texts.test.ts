// A text that its sender made to keep a search busy must not hold up the requests of others.
import { expect, test } from '@jest/globals'
import { checkSubmission, type SubmissionTerms } from '../../domain/claims/submission.ts'
import { claimantBinding } from '../../domain/pull-requests/disclosure.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'

const termsOf = (schemaRef: string, pullRequest: SubmissionTerms['pullRequest']): SubmissionTerms => ({
  schemaRef,
  schema: jobSchemaByRef(schemaRef) ?? null,
  pullRequest,
})
const millisecondsOf = (work: () => void): number => {
  const began = performance.now()
  work()
  return performance.now() - began
}

test('hostile submissions of 60,000 characters are refused within a second', () => {
  const work = termsOf('schema://jobs/coding-output', null)
  const pullRequest = termsOf('schema://jobs/codehost-pr-evidence-output', {
    repo: 'acme/widgets',
    issueNumber: 7,
    host: 'codehost.example',
  })
  const texts = [
    ...['`'.repeat(60_000), '{'.repeat(60_000), `${'"\\\\'.repeat(20_000)}"`],
    ...[`\`\`\`\n${'\n'.repeat(60_000)}x`, '```\n'.repeat(15_000)],
  ]
  const addresses = [...'.[(< `'].map((filler) => `https://codehost.example/acme/widgets/pull/1${filler.repeat(60_000)}x`)
  const took = millisecondsOf(() => {
    for (const text of texts) expect(checkSubmission(work, text).valid).toBe(false)
    for (const prUrl of addresses) expect(checkSubmission(pullRequest, { prUrl, summary: 's', tests: 't' }).valid).toBe(false)
  })
  expect(took).toBeLessThan(1_000)
})

test('hostile texts of 60,000 characters are searched for a claimant within ten seconds', () => {
  const texts = [
    ...[`wallet${' '.repeat(60_000)}`, 'wallet **'.repeat(7_000), `session: ${'a'.repeat(60_000)}`, 'wallet: 0x'.repeat(6_000)],
    ...['*'.repeat(60_000), '>'.repeat(65_536), '*_'.repeat(32_768), '[a]('.repeat(16_384), '|a|b|\n|-|-|\n|c|d|\n\n'.repeat(3_000)],
  ]
  const claimant = { wallet: `0x${'70'.repeat(20)}`, sessionId: `job-1:0x${'70'.repeat(20)}` }
  const took = millisecondsOf(() => {
    for (const text of texts) claimantBinding(text, claimant)
  })
  expect(took).toBeLessThan(10_000)
})
