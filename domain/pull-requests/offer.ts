import type { FieldError } from '../../schemas/errors.ts'
import { offeredPullRequest } from './address.ts'
import { isExpectedRepo } from './checks.ts'
import type { ExpectedWork } from './expected.ts'

const memberOf = (submission: Record<string, unknown> | string): string => {
  if (typeof submission === 'string') return ''
  return submission.prUrl === undefined && submission.pullRequestUrl !== undefined ? '/pullRequestUrl' : '/prUrl'
}

/** Errors of a pull request that the job can never accept: none, in an unreadable form, or of another host or repository. */
export function pullRequestErrors(submission: Record<string, unknown> | string, expected: ExpectedWork): FieldError[] {
  const offered = offeredPullRequest(submission)
  const form = `https://${expected.host ?? '<host>'}/${expected.repo ?? '<owner>/<repository>'}/pull/<number>`
  const refuse = (message: string): FieldError[] => [{ pointer: memberOf(submission), rule: 'pullRequest', limit: form, message }]
  if (offered.address === null) return refuse(`must name a pull request: ${form}`)
  if (offered.ref === null) return refuse(`is not the address of a pull request: ${form}`)
  if (expected.repo === null || isExpectedRepo(offered, expected)) return []
  return refuse(`is not a pull request of the repository of the job: ${form}`)
}
