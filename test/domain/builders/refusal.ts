import { isServiceError, type ServiceError } from '../../../schemas/errors.ts'

/** The refusal of a call; null where the call is accepted. */
export const refusalOf = (act: () => unknown): ServiceError | null => {
  try {
    act()
  } catch (error) {
    if (isServiceError(error)) return error
    throw error
  }
  return null
}
