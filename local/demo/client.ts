import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { z } from 'zod'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import type { ProblemShape } from '../../schemas/operations/values.ts'

/** Body of the 200 answer of an operation. */
export type AnswerOf<Operation extends OperationSpec> = z.output<NonNullable<Operation['responses'][200]>>

/** A refusal of the service, with its problem document. */
export class Refusal extends Error {
  readonly problem: z.output<typeof ProblemShape>
  constructor(path: string, problem: z.output<typeof ProblemShape>) {
    super(`${path}: ${problem.status} ${problem.code}: ${problem.detail} (request ${problem.requestId})`)
    this.problem = problem
  }
}

/** HTTP client of an agent, with a key that only signs. */
export const createClient = (base: string, account: PrivateKeyAccount) => {
  let token: string | undefined

  const send = async <Answer>(path: string, body?: object): Promise<Answer> => {
    for (;;) {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${base}${path}`, { ...post, headers: { accept: 'application/json', ...authorization } })
      const answer = (await response.json()) as never
      if (!response.ok) throw new Refusal(path, answer)
      if (response.status !== 202) return answer
      await sleep((answer as { retryAfterSeconds: number }).retryAfterSeconds * 1000)
    }
  }

  const signIn = async (): Promise<{ roles: string[]; expiresAt: string }> => {
    token = undefined
    const { message } = await send<{ message: string }>('/auth/nonce', { wallet: account.address })
    const signature = await account.signMessage({ message })
    const signedIn = await send<{ token: string; roles: string[]; expiresAt: string }>('/auth/verify', { message, signature })
    token = signedIn.token
    return signedIn
  }

  return {
    account,
    signIn,
    /** Sends one request: repeats it after a 202, renews an expired token once (time was moved), and throws refusals. */
    call: async <Answer>(path: string, body?: object): Promise<Answer> => {
      try {
        return await send<Answer>(path, body)
      } catch (error) {
        if (!(error instanceof Refusal) || error.problem.code !== 'token_expired') throw error
        await signIn()
        return await send<Answer>(path, body)
      }
    },
  }
}
