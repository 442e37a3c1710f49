import { BaseError } from 'viem'

/** An error in a line: what the chain's client adds (addresses, request bodies with signed bytes) has no place in a log. */
export const brief = (error: unknown): string => {
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter((part) => part !== '' && part !== undefined).join(' ')
  return error instanceof Error ? error.message : String(error)
}
