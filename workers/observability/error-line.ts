import { BaseError } from 'viem'

/** One line for an error, without the request data (addresses, signed bytes) that viem adds. */
export const brief = (error: unknown): string => {
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter((part) => part !== '' && part !== undefined).join(' ')
  return error instanceof Error ? error.message : String(error)
}
