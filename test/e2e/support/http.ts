import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { untilFinal } from '../../support/eventually.ts'
import { type CallInit, type Reply, call as send } from '../../support/http.ts'
import type { Contract } from './contract.ts'

export type { CallInit, Reply }

export type Agent = Awaited<ReturnType<Http['agent']>>
export type Http = ReturnType<typeof createHttp>

/** Times that a request is repeated when a part of the service does not answer: a busy machine delays it for a moment. */
const OUTAGES = 3

/** Calls of a running service. Checks each answer against the service's own OpenAPI document. */
export const createHttp = (base: string, contract: Pick<Contract, 'check'>) => {
  const call = async (path: string, init: CallInit = {}): Promise<Reply> => {
    const reply = await send(base, path, init)
    const faults = contract.check(path, init, reply)
    if (faults.length > 0)
      throw new Error(
        `${init.method ?? ''} ${path} answered ${reply.status} beside its document:\n${faults.join('\n')}\n${reply.text.slice(0, 2000)}`,
      )
    return reply
  }

  /** Repeats a request that gets 202, or 503 at most three times. Throws with the answer unless it has the expected status. */
  const expectCall = async (status: number, path: string, init: CallInit = {}): Promise<Reply['body']> => {
    let outages = 0
    const isFinal = (reply: Reply): boolean => {
      if (reply.status === status) return true
      const isOutage = reply.status === 503 && reply.body.retryable
      if (isOutage) outages += 1
      return reply.status !== 202 && !(isOutage && outages <= OUTAGES)
    }
    const reply = await untilFinal(`${path} is answered`, () => call(path, init), isFinal)
    if (reply.status !== status) throw new Error(`${path} answered ${reply.status}, not ${status}: ${reply.text.slice(0, 2000)}`)
    return reply.body
  }

  const signIn = async (account: PrivateKeyAccount): Promise<string> => {
    const { message } = await expectCall(200, '/auth/nonce', { body: { wallet: account.address } })
    return (await expectCall(200, '/auth/verify', { body: { message, signature: await account.signMessage({ message }) } })).token
  }

  /** A caller with a key, a new one unless given. Signs in unless a token is given. */
  const agent = async (account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey()), given?: string) => {
    let token = given ?? (await signIn(account))
    return {
      account,
      token: (): string => token,
      /** After time has moved. */
      signInAgain: async (): Promise<void> => {
        token = await signIn(account)
      },
      call: (path: string, init: CallInit = {}): Promise<Reply> => call(path, { token, ...init }),
      get: (path: string, status = 200): Promise<Reply['body']> => expectCall(status, path, { token }),
      post: (path: string, body: unknown, status = 200): Promise<Reply['body']> => expectCall(status, path, { token, body }),
    }
  }

  return { call, expectCall, agent }
}
