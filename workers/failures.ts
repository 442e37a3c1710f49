import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'
import { ERRORS, isServiceError } from '../schemas/errors.ts'

/**
 * Turns a ServiceError into an ApplicationFailure of the same code. A refusal (below 500) is final; a failure of something the
 * service depends on is retried by the policy of the step. Refusals are everyday news, so they are logged quietly.
 */
export const failureInterceptor = (): ActivityInboundCallsInterceptor => ({
  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>) {
    try {
      return await next(input)
    } catch (error) {
      if (!isServiceError(error)) throw error
      const final = ERRORS[error.code].status < 500
      throw ApplicationFailure.create({
        type: error.code,
        message: error.message,
        nonRetryable: final,
        details: [error.info],
        ...(final && { category: ApplicationFailureCategory.BENIGN }),
        cause: error,
      })
    }
  },
})
