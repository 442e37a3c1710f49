import type { Info } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'
import { BaseError } from 'viem'
import { isBlocked } from '../../activities/common/blocked.ts'
import { isRefusal, isServiceError } from '../../schemas/errors.ts'
import { brief } from '../observability/error-line.ts'

/** viem adds address and body of the request to its messages: neither belongs in a log or a history. */
const withoutRequest = (error: unknown): unknown =>
  error instanceof BaseError ? Object.assign(new Error(brief(error)), { name: error.name }) : error

/**
 * Turns a ServiceError into an ApplicationFailure of the same code. A refusal (status below 500) is final and logged at info level; the failure
 * of a dependency is retried by the activity's policy. A blocked step is retried for a while and then fails for good: its process retries it.
 */
export const failureInterceptor = ({ attempt }: Pick<Info, 'attempt'>): ActivityInboundCallsInterceptor => ({
  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>) {
    try {
      return await next(input)
    } catch (error) {
      const blocked = isBlocked(error, attempt)
      if (!blocked && !isServiceError(error)) throw withoutRequest(error)
      const refused = isRefusal(error)
      throw ApplicationFailure.create({
        type: error.code,
        message: error.message,
        nonRetryable: blocked || refused,
        details: [error.info],
        ...(refused && { category: ApplicationFailureCategory.BENIGN }),
        cause: error,
      })
    }
  },
})
